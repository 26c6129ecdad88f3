// The dialog that ends a dependent's cover, for the employee and for HR.
import { api } from '#api/api.ts'
import { EndOfCover, type Dependent } from '#dependents/dependents.contract.ts'
import { problems } from '#problems.ts'
import { useWrite } from '#ui/ask.ts'
import { DateField } from '#ui/DateField.tsx'
import { dateText } from '#ui/DateText.tsx'
import { Dialog } from '#ui/Dialog.tsx'
import { Form, FormButtons } from '#ui/Form.tsx'

type Props = {
  dependent: Dependent
  open: boolean
  onClose: () => void
  onDone?: () => void
  description: string
  /** Proposed; without it the field is empty. */
  last_day?: string
}

export function EndCover({ dependent, open, onClose, onDone, description, last_day = '' }: Props) {
  const { id, full_name, covered_to, refusals } = dependent
  const over = refusals.end ? `${problems[refusals.end][1]}.` : undefined
  const moot = covered_to ? 'The end of this cover was set a moment ago.' : over
  const resume = useWrite(api.dependents.resume, `${full_name} stays covered`)
  const end = useWrite(
    api.dependents.end,
    (ended) => `Cover of ${full_name} ends on ${dateText(ended.covered_to ?? '')}`,
    () => () => resume({ id }),
  )
  return (
    <Dialog
      open={open}
      onClose={onClose}
      title={`End cover of ${full_name}?`}
      description={description}
      moot={end.pending ? undefined : moot}
    >
      <Form
        name={`end-cover-${id}`}
        shape={EndOfCover}
        defaults={{ covered_to: last_day }}
        onSubmit={async (ending) => {
          await end.submit({ id, ...ending })
          onClose()
          onDone?.()
        }}
      >
        <DateField name="covered_to" label="Last day of cover" required />
        <FormButtons waiting="Saving...">End cover</FormButtons>
      </Form>
    </Dialog>
  )
}
