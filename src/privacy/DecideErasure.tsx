import { lazy_api } from '#api/lazy-api.ts'
import { problems } from '#problems.ts'
import { useActor } from '#ui/actor.ts'
import { useWrite } from '#ui/ask.ts'
import { Button } from '#ui/Button.tsx'
import { ConfirmDialog } from '#ui/ConfirmDialog.tsx'
import { Dialog } from '#ui/Dialog.tsx'
import { Facts } from '#ui/Facts.tsx'
import { count, money } from '#ui/figures.ts'
import { Form, FormButtons } from '#ui/Form.tsx'
import { TextAreaField } from '#ui/TextField.tsx'
import {
  ErasureRefusal,
  type Erasure,
  type ItemsToErase,
  type ErasureBlocker,
} from './privacy.contract.ts'

export type ErasureDecision = { what: 'grant' | 'refuse'; erasure: Erasure }
type DecideProps = { erasure: Erasure; onDecide: (decision: ErasureDecision) => void }

export const isDecided = ({ refusals }: Erasure) => refusals.refuse === 'erasure_decided'

/** The two answers to a request. Blockers disable the first one, with their reason. */
export function DecideErasure({ erasure, onDecide }: DecideProps) {
  const { approve, refuse } = erasure.refusals
  return (
    <span className="flex gap-2">
      <Button
        size="small"
        variant="primary"
        unless={approve}
        onClick={() => onDecide({ what: 'grant', erasure })}
      >
        Grant
      </Button>
      <Button size="small" unless={refuse} onClick={() => onDecide({ what: 'refuse', erasure })}>
        Refuse
      </Button>
    </span>
  )
}

type DialogProps = { decision: ErasureDecision; still: boolean; onClose: () => void }

/** Stays open when the request leaves its list, and says so. */
export const ErasureDialog = ({ decision: { what, erasure }, ...props }: DialogProps) =>
  what === 'grant' ? (
    <Grant erasure={erasure} {...props} />
  ) : (
    <Refuse erasure={erasure} {...props} />
  )

const decided = 'This request was decided or withdrawn a moment ago.'

type Props = { erasure: Erasure; still: boolean; onClose: () => void }

function Grant({ erasure: { id, person_name, going }, still, onClose }: Props) {
  const { role } = useActor()
  const last = role === 'super_admin'
  const grant = useWrite(
    lazy_api.privacy.approve_erasure,
    last ? 'Erased' : 'Passed to the provider',
  )
  return (
    <ConfirmDialog
      open
      onClose={onClose}
      moot={still ? undefined : decided}
      title={`Grant erasure of ${person_name}?`}
      description={
        last
          ? 'It is carried out at once and can’t be undone. Amounts stay in the ledger without the person.'
          : 'The provider decides after you and carries it out. Nothing is erased before that.'
      }
      variant={last ? 'danger' : 'primary'}
      does={last ? 'Erase' : 'Grant'}
      act={() => grant.submit({ id })}
    >
      <WhatGoes going={going} />
    </ConfirmDialog>
  )
}

const erased_kinds: Record<ItemsToErase['kind'], string> = {
  record: 'Entries of the record about them',
  own_acts: 'Network addresses of their own acts',
  family: 'Family members’ names',
  claims: 'Claims, all but number and amounts',
  receipts: 'Receipts with their files',
  bookings: 'Health check bookings',
  notifications: 'Notifications to them',
  mails: 'Mails to them',
  file_rows: 'Rows in files HR uploaded',
  inquiries: 'Messages on the contact page',
}

/** How much of each kind is erased, by number only. */
function WhatGoes({ going }: { going: ItemsToErase[] }) {
  if (going.length === 0) return null
  return (
    <Facts
      variant="sums"
      facts={going.map(({ kind, items }) => [erased_kinds[kind], count(items)])}
    />
  )
}

function Refuse({ erasure: { id, person_name }, still, onClose }: Props) {
  const refuse = useWrite(lazy_api.privacy.refuse_erasure, 'Request refused')
  return (
    <Dialog
      open
      onClose={onClose}
      moot={still || refuse.pending ? undefined : decided}
      title={`Refuse erasure of ${person_name}?`}
      description="They are notified with your sentence, and can ask again."
    >
      <Form
        name={`refuse-erasure-${id}`}
        shape={ErasureRefusal}
        onSubmit={async ({ refusal }) => {
          await refuse.submit({ id, refusal })
          onClose()
        }}
      >
        <TextAreaField
          name="refusal"
          label="Why"
          rows={3}
          hint="A sentence the person can act on. No health content."
          required
        />
        <FormButtons waiting="Refusing...">Refuse</FormButtons>
      </Form>
    </Dialog>
  )
}

/** The things to settle first, each with how much of it there is. */
export function Blockers({ blockers }: { blockers: ErasureBlocker[] }) {
  if (blockers.length === 0) return null
  return (
    <ul className="mt-2 rounded-control bg-accent-wash px-3 py-2 text-ui">
      {blockers.map(({ code, items, cents, currency }) => (
        <li key={code}>
          {problems[code][1]}
          {cents !== null && currency && ` (${count(items)}, ${money(cents, currency)})`}
        </li>
      ))}
    </ul>
  )
}
