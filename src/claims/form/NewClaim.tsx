import { useState } from 'react'
import { ReceiptText } from 'lucide-react'
import { api } from '#api/api.ts'
import { useRead } from '#ui/ask.ts'
import { Boundary } from '#ui/Boundary.tsx'
import { Sheet } from '#ui/Dialog.tsx'
import { Empty } from '#ui/Empty.tsx'
import { Skeleton } from '#ui/Skeleton.tsx'
import type { Claim } from '#claims/claims.contract.ts'
import { NewClaimDone } from './NewClaimDone.tsx'
import { NewClaimForm } from './NewClaimForm.tsx'

type Props = {
  open: boolean
  /** The claim to copy, for "Claim again". */
  from: number | undefined
  dropped: File[]
  onClose: () => void
}

export function NewClaim({ open, from, dropped, onClose }: Props) {
  const [done, setDone] = useState<Claim>()
  const close = () => {
    setDone(undefined)
    onClose()
  }
  return (
    <Sheet
      wide
      open={open}
      onClose={close}
      opening="Opening claim submission form..."
      title={done ? 'Claim submitted' : from ? `Claim #${from} again` : 'Submit a claim'}
    >
      <Boundary>
        <Begun from={from} dropped={dropped} done={done} onDone={setDone} onClose={close} />
      </Boundary>
    </Sheet>
  )
}

type BegunProps = Omit<Props, 'open'> & {
  done: Claim | undefined
  onDone: (done: Claim | undefined) => void
}

function Begun({ from, dropped, done, onDone, onClose }: BegunProps) {
  const options = useRead(api.claims.options, {})
  const copied = useRead(api.claims.find, from ? { id: from } : undefined)
  const [round, setRound] = useState(0)
  if (done) {
    const another = () => {
      onDone(undefined)
      setRound(round + 1)
    }
    return <NewClaimDone claim={done} onAnother={another} onClose={onClose} />
  }
  if (!options || (from && !copied)) return <Loading />
  if (options.years.length === 0) {
    return (
      <Empty icon={<ReceiptText aria-hidden />} title="There is nothing to claim from yet">
        Your company has no plan year open for claims. Please ask HR.
      </Empty>
    )
  }
  return (
    <NewClaimForm
      key={round}
      options={options}
      copied={round === 0 ? copied : undefined}
      dropped={round === 0 ? dropped : []}
      onDone={onDone}
    />
  )
}

const Loading = () => (
  <div aria-busy="true" className="grid gap-8 md:grid-cols-[17rem_minmax(0,1fr)]">
    <Skeleton className="h-56 w-full" />
    <div className="flex flex-col gap-6">
      {[1, 2, 3, 4].map((row) => (
        <Skeleton key={row} className="h-16 w-full" />
      ))}
    </div>
  </div>
)
