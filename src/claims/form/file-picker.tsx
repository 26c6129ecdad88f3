import { useRef } from 'react'
import { receipt_types } from '#receipts/receipts.contract.ts'

/** Opens the platform's own file dialog, or the camera. `input` must be drawn somewhere. */
export function useFilePicker(onFiles: (files: File[]) => void, camera = false) {
  const input = useRef<HTMLInputElement>(null)
  return {
    open: () => input.current?.click(),
    input: (
      <input
        ref={input}
        type="file"
        multiple={!camera}
        accept={camera ? 'image/*' : receipt_types.join(',')}
        {...(camera ? { capture: 'environment' as const } : {})}
        hidden
        aria-label={camera ? 'Photo of a receipt' : 'Receipts'}
        onChange={(event) => {
          const files = [...(event.target.files ?? [])]
          // Emptied, so that the same file can be chosen once more.
          event.target.value = ''
          if (files.length > 0) onFiles(files)
        }}
      />
    ),
  }
}
