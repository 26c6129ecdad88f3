import { rights_api } from '#api/rights-api.ts'
import { PasswordDialog } from '#auth/PasswordDialog.tsx'
import type { GivenRight } from '#users/giving.contract.ts'
import { right_words } from '#users/rights.contract.ts'
import { useRead, useWrite } from '#ui/ask.ts'
import { Skeleton } from '#ui/Skeleton.tsx'
import { rightSpan } from './right-span.ts'

export type RightsToConfirm = {
  person_id: string
  name: string
  /** Rights on screen when the dialog was opened: later ones are not confirmed along with them. */
  ids: readonly string[]
}

/** An owner's yes to rights that others gave somebody: all that are shown, by one password. */
export function ConfirmRights({ person_id, name, ids, onClose }: RightsToConfirm & Closing) {
  const holders = useRead(rights_api.list, {})?.holders
  const confirm = useWrite(rights_api.confirm, ({ ids: done }) =>
    done.length === 1 ? 'Right confirmed' : 'Rights confirmed',
  )
  const rights = holders?.find(({ id }) => id === person_id)?.rights ?? []
  const shown = rights.filter(({ id, refusals }) => ids.includes(id) && refusals.confirm === null)
  const [only, other] = shown
  const what = only && !other ? right_words[only.kind][0] : 'the rights'
  return (
    <PasswordDialog
      name={`confirm-rights-${person_id}`}
      onClose={onClose}
      title={`Confirm ${what} of ${name}?`}
      description={
        other
          ? 'They take effect at once, and the person is notified.'
          : 'It takes effect at once, and the person is notified.'
      }
      moot={holders && !only ? 'Nothing is left to confirm here.' : undefined}
      loading={!holders}
      does={other ? `Confirm ${shown.length} rights` : 'Confirm'}
      waiting="Saving..."
      act={() => confirm.submit({ ids: shown.map(({ id }) => id) })}
    >
      {holders ? <RightList rights={shown} /> : <Skeleton className="h-24 w-full" />}
    </PasswordDialog>
  )
}

const RightList = ({ rights }: { rights: readonly GivenRight[] }) => (
  <ul aria-label="Rights to confirm" className="flex flex-col gap-3 text-sm">
    {rights.map((right) => (
      <li key={right.id}>
        <p className="font-medium">{right_words[right.kind][0]}</p>
        <p className="text-soft wrap-anywhere">{`${right_words[right.kind][1]}; ${rightSpan(right)}`}</p>
      </li>
    ))}
  </ul>
)

type Closing = { onClose: () => void }
