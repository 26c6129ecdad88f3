import { useState } from 'react'
import { lazy_api } from '#api/lazy-api.ts'
import { useRead } from '#ui/ask.ts'
import { Dialog } from '#ui/Dialog.tsx'
import { Skeleton } from '#ui/Skeleton.tsx'
import { ErasureDialog, isDecided, type ErasureDecision } from './DecideErasure.tsx'
import { ErasureLine } from './ErasuresPage.tsx'

type Props = { id: string; onClose: () => void }

/** One request for erasure, away from their list. */
export function OneErasure({ id, onClose }: Props) {
  const erasure = useRead(lazy_api.privacy.find_erasure, { id })
  const still = erasure !== undefined && !isDecided(erasure)
  const [decision, setDecision] = useState<ErasureDecision>()
  if (decision) return <ErasureDialog decision={decision} still={still} onClose={onClose} />
  return (
    <Dialog
      open
      wide
      onClose={onClose}
      title="Erasure request"
      moot={erasure && !still ? 'This request was decided or withdrawn a moment ago.' : undefined}
    >
      {erasure ? (
        <ul className="-mx-5">
          <ErasureLine erasure={erasure} onDecide={setDecision} />
        </ul>
      ) : (
        <Skeleton className="h-20 w-full" />
      )}
    </Dialog>
  )
}
