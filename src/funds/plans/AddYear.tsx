import { CalendarPlus } from 'lucide-react'
import { useState } from 'react'
import { api } from '#api/api.ts'
import { daysAfter } from '#lib/days.ts'
import { DateField } from '#ui/DateField.tsx'
import { useWrite } from '#ui/ask.ts'
import { Button } from '#ui/Button.tsx'
import { Card } from '#ui/Card.tsx'
import { DateText, dateText } from '#ui/DateText.tsx'
import { Dialog } from '#ui/Dialog.tsx'
import { Form, FormButtons } from '#ui/Form.tsx'
import { PlanSettings, type Plan } from './plans.contract.ts'

const FirstDayForm = PlanSettings.pick({ starts_on: true })

type Props = { plan: Plan; years: readonly string[]; onAdded: (plan_year: string) => void }

/** Another year, planned like the one that is shown until it is changed. */
export function AddYear({ plan, years, onAdded }: Props) {
  const [open, setOpen] = useState(false)
  const next = years.filter((year) => year > plan.plan_year).toSorted()[0]
  return (
    <Card
      title="Another plan year"
      description={
        next
          ? `The year from ${dateText(next)} is there. We create the one after it 60 days before that one ends, overnight.`
          : 'We create the next plan year 60 days before this one ends, overnight. Add it now to plan ahead.'
      }
      actions={
        <Button icon={CalendarPlus} onClick={() => setOpen(true)}>
          Add plan year
        </Button>
      }
    >
      <p className="text-sm text-soft">
        It copies the plan of the year from <DateText value={plan.plan_year} />, which you can then
        change. People get its grants on its first day.
      </p>
      {open && (
        <AddDialog
          plan={plan}
          starts_on={next ? undefined : daysAfter(plan.ends_on, 1)}
          onAdded={onAdded}
          onClose={() => setOpen(false)}
        />
      )}
    </Card>
  )
}

type DialogProps = Pick<Props, 'plan' | 'onAdded'> & {
  /** The first day of the year that follows, where that is not there yet. */
  starts_on: string | undefined
  onClose: () => void
}

function AddDialog({ plan, starts_on, onAdded, onClose }: DialogProps) {
  const add = useWrite(
    api.funds.add_year,
    ({ plan_year }) => `Plan year from ${dateText(plan_year)} added`,
  )
  const settings = PlanSettings.parse(plan)
  return (
    <Dialog
      open
      onClose={onClose}
      title="Add plan year"
      description="Twelve months from the day you choose. It must not cover days of another plan year."
    >
      <Form
        name="add-plan-year"
        shape={FirstDayForm}
        defaults={starts_on ? { starts_on } : {}}
        onSubmit={async ({ starts_on }) => {
          const { plan_year } = await add.submit({ ...settings, starts_on })
          onClose()
          onAdded(plan_year)
        }}
      >
        <DateField name="starts_on" label="First day" required />
        <FormButtons onCancel={onClose} waiting="Adding...">
          Add plan year
        </FormButtons>
      </Form>
    </Dialog>
  )
}
