import { api } from '#api/api.ts'
import { rights_api } from '#api/rights-api.ts'
import { PasswordDialog } from '#auth/PasswordDialog.tsx'
import type { GivenRight } from '#users/giving.contract.ts'
import { right_words } from '#users/rights.contract.ts'
import { useRead, useWrite } from '#ui/ask.ts'
import { Skeleton } from '#ui/Skeleton.tsx'
import { GapsNote } from './GapsNote.tsx'

export type RightToEnd = {
  right: Pick<GivenRight, 'id' | 'kind' | 'begins_at' | 'waits'>
  person_id: string
  name: string
}

/** The end of a right by an owner; of a reviewer's with what the policy's steps lose by it. */
export function EndRight({
  right,
  person_id,
  name,
  onClose,
}: RightToEnd & { onClose: () => void }) {
  const end = useWrite(rights_api.end, 'Right ended')
  const concerns = right.kind === 'reviewer'
  const gaps = useRead(api.policies.gaps, concerns ? { without: person_id } : undefined)
  const lacks = Boolean(gaps?.refusals.end)
  return (
    <PasswordDialog
      name={`end-right-${right.id}`}
      onClose={onClose}
      title={`End ${right_words[right.kind][0]} of ${name}?`}
      description={`${effectOf(right)} Their other rights stay.`}
      does={lacks ? 'End anyway' : 'End'}
      waiting="Saving..."
      act={() => end.submit({ id: right.id, knowingly: lacks })}
    >
      {concerns && !gaps && <Skeleton className="h-24 w-full" />}
      {gaps && <GapsNote gaps={gaps} title={`Without ${name} the policy needs more people`} />}
    </PasswordDialog>
  )
}

function effectOf({ waits, begins_at }: RightToEnd['right']): string {
  if (waits) return 'It never takes effect.'
  return Date.parse(begins_at) > Date.now()
    ? 'It never takes effect, and they are notified.'
    : 'They can’t do it from this moment on, and are notified.'
}
