import { useState } from 'react'
import { lazy_api } from '#api/lazy-api.ts'
import { NewAbsence, type Absence } from '#absences/absences.contract.ts'
import { useRead, useWrite } from '#ui/ask.ts'
import { Button } from '#ui/Button.tsx'
import { DateField } from '#ui/DateField.tsx'
import { DateText } from '#ui/DateText.tsx'
import { Dialog } from '#ui/Dialog.tsx'
import { Form, FormButtons } from '#ui/Form.tsx'
import { SelectField } from '#ui/SelectField.tsx'
import type { Holder } from '#users/giving.contract.ts'
import type { CompanyDetail } from './companies.contract.ts'

type Props = { company_id: CompanyDetail['id']; admin: Holder }

/** The absence of an admin and their deputy, which the provider enters for an admin who can't. */
export function AdminAway({ absences, ...props }: Props & { absences: readonly Absence[] }) {
  const [entering, setEntering] = useState(false)
  const end = useWrite(lazy_api.absences.end, 'Absence removed')
  const { admin } = props
  const away = absences.find(({ person_id }) => person_id === admin.id)
  if (away)
    return (
      <span className="inline-flex flex-wrap items-center justify-end gap-x-3 gap-y-1">
        <span className="text-soft">
          <DateText value={away.from_on} /> – <DateText value={away.to_on} />
          {away.deputy_name && <span className="block">Deputy: {away.deputy_name}</span>}
        </span>
        {away.may_end && (
          <Button size="small" loading={end.pending} onClick={() => end({ id: away.id })}>
            Remove
          </Button>
        )}
      </span>
    )
  if (!admin.is_at_work) return <span className="text-faint">–</span>
  return (
    <>
      <Button
        size="small"
        variant="quiet"
        aria-label={`Enter absence of ${admin.full_name}`}
        onClick={() => setEntering(true)}
      >
        Enter absence
      </Button>
      {entering && <Enter {...props} onClose={() => setEntering(false)} />}
    </>
  )
}

const Days = NewAbsence.omit({ person_id: true })

function Enter({ company_id, admin, onClose }: Props & { onClose: () => void }) {
  const enter = useWrite(lazy_api.absences.enter, `Absence of ${admin.full_name} saved`)
  const deputies = useRead(lazy_api.absences.deputies, { person_id: admin.id }) ?? []
  return (
    <Dialog
      open
      onClose={onClose}
      title={`Absence of ${admin.full_name}`}
      description={
        'They are notified and can end it. A deputy is notified of new work in their place; if there is ' +
        'no other admin, invite one first.'
      }
    >
      <Form
        name={`absence-${admin.id}`}
        shape={Days}
        defaults={{ deputy_id: '', from_on: '', to_on: '' }}
        onSubmit={async (days) => {
          await enter.submit({ ...days, company_id, person_id: admin.id })
          onClose()
        }}
      >
        <DateField name="from_on" label="First day" required />
        <DateField name="to_on" label="Last day" required />
        <SelectField
          name="deputy_id"
          label="Deputy"
          options={Object.fromEntries(deputies.map(({ id, full_name }) => [id, full_name]))}
          placeholder="Nobody"
        />
        <FormButtons waiting="Saving...">Save absence</FormButtons>
      </Form>
    </Dialog>
  )
}
