import { api } from '#api/api.ts'
import { useRead } from '#ui/ask.ts'
import { Dialog } from '#ui/Dialog.tsx'
import { Skeleton } from '#ui/Skeleton.tsx'
import { AllocateDialog } from './AllocateDialog.tsx'

/** Allocates to today's plan year, away from the page of its funds. */
export function AllocateNow({ onClose }: { onClose: () => void }) {
  const funds = useRead(api.funds.overview, {})
  if (funds) return <AllocateDialog funds={funds} onClose={onClose} />
  return (
    <Dialog open onClose={onClose} title="Allocate to categories">
      <Skeleton className="h-56 w-full" />
    </Dialog>
  )
}
