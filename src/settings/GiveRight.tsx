import { useFormContext } from 'react-hook-form'
import { z } from 'zod'
import { api } from '#api/api.ts'
import { rights_api } from '#api/rights-api.ts'
import { NewRight } from '#users/giving.contract.ts'
import { problems } from '#problems.ts'
import { right_words } from '#users/rights.contract.ts'
import { useRead, useWrite } from '#ui/ask.ts'
import { Callout } from '#ui/Callout.tsx'
import { DateField } from '#ui/DateField.tsx'
import { dateText } from '#ui/DateText.tsx'
import { Dialog } from '#ui/Dialog.tsx'
import { DialogButtons } from '#ui/DialogButtons.tsx'
import { CancelButton, SubmitButton } from '#ui/Form.tsx'
import { OwnPassword, ProvenForm } from '#auth/ProvenForm.tsx'
import { PickField } from '#ui/PickField.tsx'
import { SelectField } from '#ui/SelectField.tsx'
import { GapsNote } from './GapsNote.tsx'

/** Left empty there is none. */
const day = z
  .literal('')
  .transform(() => undefined)
  .or(NewRight.shape.from_on)
const RightFields = NewRight.extend({ from_on: day, until_on: day })
const right_labels = Object.fromEntries(
  Object.entries(right_words).map(([kind, [title, opens]]) => [kind, `${title}: ${opens}`]),
)

export function GiveRight({ onClose }: { onClose: () => void }) {
  const give = useWrite(rights_api.give, ({ waits, ends_password }) =>
    [
      waits ? 'Saved. The right takes effect once another owner confirms it' : 'Right given',
      ends_password && 'The initial password no longer works: they get a link by email',
    ]
      .filter(Boolean)
      .join('. '),
  )
  return (
    <Dialog
      open
      onClose={onClose}
      title="Give a right"
      description={
        'They stay an employee and keep their fund and claims. Nobody can give themselves a right, and for a day the ' +
        'two of you count as one person: neither can release or approve what the other began.'
      }
    >
      <ProvenForm
        name="give-right"
        shape={RightFields}
        defaults={{ person_id: '', from_on: '', until_on: '' }}
        onSubmit={async (right) => {
          await give.submit(right)
          onClose()
        }}
      >
        <PickField
          name="person_id"
          label="Who"
          find={rights_api.people}
          placeholder="Type to find somebody"
          required
        />
        <SelectField
          name="kind"
          label="Right"
          options={right_labels}
          placeholder="Choose one"
          required
        />
        <WhenItCounts />
        <div className="grid items-start gap-5 sm:grid-cols-2">
          <DateField name="from_on" label="First day" hint="Today, if empty" />
          <DateField name="until_on" label="Last day" hint="Until it is ended, if empty" />
        </div>
        <AfterLastDay />
        <OwnPassword />
        <DialogButtons>
          <CancelButton onClick={onClose} />
          <GiveButton />
        </DialogButtons>
      </ProvenForm>
    </Dialog>
  )
}

/** The owners to confirm it, of the chosen person and right, and the refusal, as things are now. */
function useConfirmers() {
  const [person_id, kind] = useFormContext().watch(['person_id', 'kind'])
  const parsed = NewRight.pick({ person_id: true, kind: true }).safeParse({ person_id, kind })
  return useRead(rights_api.confirmers, parsed.success ? parsed.data : undefined, { quiet: true })
}

const GiveButton = () => (
  <SubmitButton waiting="Saving..." unless={useConfirmers()?.refusals.give}>
    Give right
  </SubmitButton>
)

/** Whether a second owner has to confirm it, and what it ends. */
function WhenItCounts() {
  const found = useConfirmers()
  if (!found) return null
  const { confirmers, ends_password, refusals } = found
  return (
    <output className="flex flex-col gap-4 text-sm text-soft">
      {refusals.give ? `${problems[refusals.give][1]}.` : whenItCounts(confirmers)}
      {!refusals.give && ends_password && (
        <Callout tone="accent" title="Their initial password stops working">
          They have not signed in by a link to their own mailbox yet, so somebody else may know the
          password. They get that link by email at once, and choose a new one with it.
        </Callout>
      )}
    </output>
  )
}

function whenItCounts(confirmers: readonly string[] | null): string {
  if (confirmers === null) return 'It takes effect at once: no other owner has to confirm it.'
  if (confirmers.length === 0) return 'A second owner has to confirm it, and today none can.'
  return `It takes effect once ${confirmers.join(' or ')} confirms it.`
}

/** A reviewer until some day, whom the policy's steps need after it. */
function AfterLastDay() {
  const [person_id, kind, until_on] = useFormContext().watch(['person_id', 'kind', 'until_on'])
  const last = z.iso.date().safeParse(until_on)
  const concerns = kind === 'reviewer' && last.success && z.uuid().safeParse(person_id).success
  const gaps = useRead(api.policies.gaps, concerns ? { without: String(person_id) } : undefined, {
    quiet: true,
  })
  if (!gaps || !last.data) return null
  return (
    <GapsNote gaps={gaps} title={`After ${dateText(last.data)} the policy needs more people`} />
  )
}
