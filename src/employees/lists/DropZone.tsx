import { clsx } from 'clsx'
import { FileSpreadsheet } from 'lucide-react'
import { useState, type DragEvent, type ReactNode } from 'react'

type Props = {
  id: string
  file: File | undefined
  fault: string | undefined
  onFile: (file: File | undefined) => void
  title: string
  /** The kinds of file it accepts. */
  children: ReactNode
}

/** One file, by choosing or dragging. */
export function DropZone({ id, file, fault, onFile, title, children }: Props) {
  const [over, setOver] = useState(false)
  const drop = (event: DragEvent<HTMLElement>) => {
    event.preventDefault()
    setOver(false)
    onFile(event.dataTransfer.files[0])
  }
  return (
    <div
      role="presentation"
      onDragOver={(event) => {
        event.preventDefault()
        setOver(true)
      }}
      onDragLeave={() => setOver(false)}
      onDrop={drop}
    >
      <label
        htmlFor={id}
        className={clsx(dropStyles, over ? 'border-primary bg-primary-wash' : 'border-edge/60')}
      >
        <FileSpreadsheet className="size-7 text-faint" aria-hidden />
        <span className="text-sm font-medium wrap-anywhere">{file ? file.name : title}</span>
        <span className="max-w-sm text-ui text-pretty text-soft">{children}</span>
        <input
          id={id}
          type="file"
          accept=".csv,.txt,.tsv,.xlsx,text/csv"
          aria-describedby={fault ? `${id}-fault` : undefined}
          className="sr-only"
          onChange={(event) => {
            onFile(event.target.files?.[0])
            event.target.value = '' // the same file again, fixed, is a new choice
          }}
        />
      </label>
    </div>
  )
}

const dropStyles = clsx(
  'flex cursor-pointer flex-col items-center gap-2 rounded-card border border-dashed px-6 py-9 text-center',
  'transition-colors hover:bg-sunken/60 has-focus-visible:outline-2 has-focus-visible:outline-primary',
)
