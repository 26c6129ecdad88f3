import { Building2 } from 'lucide-react'
import { useId } from 'react'
import { z } from 'zod'
import { api } from '#api/api.ts'
import { CompanyChange, type CompanyDetail } from '#companies/companies.contract.ts'
import { lazy_api } from '#api/lazy-api.ts'
import { useRead, useWrite } from '#ui/ask.ts'
import { Boundary } from '#ui/Boundary.tsx'
import { Card } from '#ui/Card.tsx'
import { count } from '#ui/figures.ts'
import { Form, FormButtons } from '#ui/Form.tsx'
import { Money } from '#ui/Money.tsx'
import { PickInput, type PickChoice } from '#ui/PickField.tsx'
import { Skeleton } from '#ui/Skeleton.tsx'
import { TextField } from '#ui/TextField.tsx'
import { SwitchField } from '#ui/ToggleField.tsx'
import { useUrlState } from '#ui/url-state.ts'
import { VersionedForm } from '#ui/VersionedForm.tsx'
import type { CompanySettings } from './settings.contract.ts'

/** The company as its admins see it, and the rules that are theirs to make. */
export function OwnCompany() {
  const company = useRead(lazy_api.settings.company, {})
  return <Card>{company ? <Own company={company} /> : <Skeleton className="h-72 w-full" />}</Card>
}

const Own = ({ company }: { company: CompanySettings }) => {
  const change = useWrite(lazy_api.settings.change_company, 'Company saved')
  const { name, domain, currency, allocated_cents, employees } = company
  const { admins_two_step, receipts_restricted } = company
  const shape = z.object({
    name: z.string().optional(),
    domain: z.string().optional(),
    required: z.boolean(),
    receipts_restricted: z.boolean(),
  })
  return (
    <Form
      follows
      name="own-company"
      shape={shape}
      defaults={{
        name,
        domain: domain ?? 'None',
        required: admins_two_step === 'required',
        receipts_restricted,
      }}
      onSubmit={({ required, receipts_restricted: restricted }) =>
        change.submit({
          admins_two_step: required ? 'required' : 'optional',
          receipts_restricted: restricted,
        })
      }
    >
      <div className="grid gap-5 sm:grid-cols-2">
        <TextField name="name" label="Company Name" readOnly />
        <TextField name="domain" label="Domain" readOnly />
      </div>
      <dl className="grid gap-5 rounded-card bg-ground p-4 text-sm sm:grid-cols-2">
        <div>
          <dt className="text-soft">Total fund allocation</dt>
          <dd className="figures mt-1 text-lg font-semibold">
            <Money cents={allocated_cents} currency={currency} />
          </dd>
        </div>
        <div>
          <dt className="text-soft">Number of employees</dt>
          <dd className="figures mt-1 text-lg font-semibold">{count(employees)}</dd>
        </div>
      </dl>
      <p className="text-ui text-soft">
        {`All amounts are in ${currency}. The time zone stands under Calendar; the provider changes it.`}
      </p>
      <SwitchField
        name="required"
        label="Administrators need two-step verification"
        hint="All administrators, including you, must set it up to continue."
      />
      <SwitchField
        name="receipts_restricted"
        label="Reviewers decide without seeing receipts"
        hint={restricted_hint}
      />
      <FormButtons waiting="Saving...">Save</FormButtons>
    </Form>
  )
}

const restricted_hint =
  'Only reviewers with the Receipts right can open one, for a reason that the employee reads. ' +
  'Receipts sent while this is on stay restricted when you turn it off.'

/** The provider belongs to no company: they choose the one whose name or domain they fix. */
export function AnyCompany() {
  const field = useId()
  const [id, choose] = useUrlState('company')
  const pick = (choice: PickChoice | undefined) => choice && choose(choice.id)
  return (
    <Card>
      <div className="flex flex-col gap-5">
        <div className="flex flex-col gap-1.5">
          <label htmlFor={field} className="text-sm font-medium">
            Company
          </label>
          <PickInput
            id={field}
            find={api.companies.names}
            placeholder="Type part of its name"
            onPick={pick}
          />
        </div>
        {id === '' && (
          <p className="flex items-center gap-2 text-sm text-soft">
            <Building2 className="size-4 shrink-0 text-faint" aria-hidden />
            Choose a company to change its name or domain.
          </p>
        )}
        {id !== '' && (
          <Boundary key={id}>
            <Chosen id={id} />
          </Boundary>
        )}
      </div>
    </Card>
  )
}

function Chosen({ id }: { id: string }) {
  const company = useRead(api.companies.find, { id })
  return company ? <Editing company={company} /> : <Skeleton className="h-36 w-full" />
}

const CompanyFields = CompanyChange.pick({ name: true, domain: true })

function Editing({ company }: { company: CompanyDetail }) {
  const change = useWrite(api.companies.change, 'Company saved')
  const { id, time_zone } = company
  return (
    <VersionedForm
      name={`company-settings-${id}`}
      shape={CompanyFields}
      record={company}
      fieldsOf={({ name, domain }) => ({ name, domain: domain ?? '' })}
      labels={{ name: 'Company Name', domain: 'Domain' }}
      save={(values, version) => change.submit({ ...values, id, time_zone, version })}
      find={() => api.companies.find({ id })}
      submit="Save"
    >
      <div className="grid gap-5 sm:grid-cols-2">
        <TextField name="name" label="Company Name" autoComplete="off" required />
        <TextField name="domain" label="Domain" placeholder="company.com" autoComplete="off" />
      </div>
      <p className="-mt-2 text-ui text-faint">
        A new domain turns auto-registration off until an admin’s address at it is confirmed.
      </p>
    </VersionedForm>
  )
}
