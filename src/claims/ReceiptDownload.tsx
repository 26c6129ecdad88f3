import { Download } from 'lucide-react'
import { useState } from 'react'
import { api } from '#api.ts'
import { Button } from '#ui/Button.tsx'
import { tellFailure } from '#ui/failure.ts'
import { save } from '#ui/save.ts'
import { toast } from '#ui/toast.ts'

type Props = { claim_id: number; receipts: number }

/** All receipts of a claim, as the files they are. */
export function ReceiptDownload({ claim_id, receipts }: Props) {
  const [loading, setLoading] = useState(false)
  if (receipts === 0) return <span className="text-faint">–</span>
  const download = async () => {
    setLoading(true)
    toast('Downloading receipt...', 'notice')
    try {
      for (const { id, file_name } of await api.receipts.list({ claim_id })) {
        save(await api.receipts.file({ id }), file_name)
      }
    } catch (error) {
      tellFailure(error)
    } finally {
      setLoading(false)
    }
  }
  return (
    <Button
      size="small"
      loading={loading}
      icon={<Download className="size-3.5 text-faint" aria-hidden />}
      aria-label={`Receipt of claim #${claim_id}`}
      onClick={() => void download()}
      className="relative z-10"
    >
      {receipts === 1 ? 'Receipt' : `${receipts} receipts`}
    </Button>
  )
}
