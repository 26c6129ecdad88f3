import { api } from '#api/api.ts'
import { approvedSentence } from './assigned-to.ts'
import { Button } from '#ui/Button.tsx'
import { showFailure } from '#ui/failure.ts'
import { useDecision } from './undoing.ts'

type Props = { id: number; version: number; who: string | null; onDone: () => void }

/** Approval with one press, for a claim whose receipt agrees and which looks like no other. */
export function QuickApprove({ id, version, who, onDone }: Props) {
  const approve = useDecision(api.review.approve, approvedSentence)
  return (
    <Button
      size="small"
      variant="primary"
      aria-label={`Approve claim #${id}${who ? ` of ${who}` : ''}`}
      loading={approve.pending}
      onClick={() => void approve.submit({ id, version }).then(onDone, showFailure)}
    >
      Approve
    </Button>
  )
}
