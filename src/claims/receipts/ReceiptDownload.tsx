import { Download } from 'lucide-react'
import { receipts_api } from '#api/receipts-api.ts'
import { counted } from '#ui/figures.ts'
import { Button } from '#ui/Button.tsx'
import { useDownload } from '#ui/DownloadButton.tsx'
import { save } from '#ui/save.ts'
import { toast } from '#ui/toast.ts'

type Props = { claim_id: number; receipts: number }

export function ReceiptDownload({ claim_id, receipts }: Props) {
  const { busy, download } = useDownload()
  if (receipts === 0) return <span className="text-faint">–</span>
  const get = async () => {
    toast('Downloading receipt...', 'notice')
    for (const { id } of await receipts_api.list({ claim_id })) {
      save(await receipts_api.file({ id }))
    }
  }
  return (
    <Button
      size="small"
      loading={busy}
      icon={<Download className="size-3.5 text-faint" aria-hidden />}
      aria-label={`Receipt of claim #${claim_id}`}
      onClick={() => download(get)}
      className="relative z-10"
    >
      {receipts === 1 ? 'Receipt' : counted(receipts, 'receipt')}
    </Button>
  )
}
