import { Download } from 'lucide-react'
import { useState, type ComponentProps } from 'react'
import { Button } from './Button.tsx'
import { Problem } from '#problems.ts'
import { Failure, showFailure } from './failure.ts'
import { save } from './save.ts'

/** Downloads for anything else than a DownloadButton: an icon, a menu, several files at once. */
export function useDownload() {
  const [busy, setBusy] = useState(false)
  const download = async (get: () => Promise<unknown>) => {
    setBusy(true)
    try {
      await get()
    } catch (error) {
      showFailure(inFull(error))
    } finally {
      setBusy(false)
    }
  }
  return { busy, download: (get: () => Promise<unknown>) => void download(get) }
}

/** No form is here to show faults of fields, so they are put before the message. */
const inFull = (error: unknown) =>
  error instanceof Problem && error.fields
    ? new Failure([...Object.values(error.fields).flat(), error.message].join('. '))
    : error

type Props = Omit<ComponentProps<typeof Button>, 'onClick' | 'loading'> & {
  file: () => Promise<File>
}

export function DownloadButton({ file, ...rest }: Props) {
  const { busy, download } = useDownload()
  return (
    <Button
      icon={Download}
      faint
      {...rest}
      loading={busy}
      onClick={() => download(async () => save(await file()))}
    />
  )
}
