import { useState } from 'react'
import { useFormContext } from 'react-hook-form'
import { z } from 'zod'
import { api } from '#api/api.ts'
import { lazy_api } from '#api/lazy-api.ts'
import { useActKey } from '#ui/act-key.ts'
import { useWrite } from '#ui/ask.ts'
import { Button } from '#ui/Button.tsx'
import { Dialog } from '#ui/Dialog.tsx'
import { Form, FormButtons } from '#ui/Form.tsx'
import { PickField } from '#ui/PickField.tsx'
import { SelectField } from '#ui/SelectField.tsx'
import { report_kinds, months_max, periodName, presetsOf, type Kind } from './kinds.ts'
import { NewReport } from './reports.contract.ts'

type Props = { kind: Kind | undefined; onClose: () => void }

/** Which period, which company; then it is made in the background. */
export function GenerateReport({ kind, onClose }: Props) {
  return (
    <Dialog
      open={kind !== undefined}
      onClose={onClose}
      title={kind ? report_kinds[kind].title : ''}
      {...(kind ? { description: report_kinds[kind].description } : {})}
    >
      {kind && <ReportForm kind={kind} onDone={onClose} />}
    </Dialog>
  )
}

function ReportForm({ kind, onDone }: { kind: Kind; onDone: () => void }) {
  const generate = useWrite(lazy_api.reports.generate, 'Generating new report...')
  const key = useActKey()
  const [months] = useState(() => monthsBack(new Date()))
  const names = Object.fromEntries(
    months.map((month) => [month, periodName(`${month}-01`, `${month}-01`)]),
  )
  const year = months[0]?.slice(0, 4) ?? ''
  return (
    <Form
      name="report"
      shape={ReportChoice}
      defaults={{ from: `${year}-01`, to: months[0] ?? '', about: 'all' }}
      onSubmit={async ({ about, company_id, from, to }) => {
        const company = about === 'one' && company_id ? { company_id } : {}
        const input = { kind, from, to, ...company }
        await generate.submit(input, { idempotency_key: key.of(input) })
        onDone()
      }}
    >
      <Presets months={months} />
      <div className="grid gap-4 sm:grid-cols-2">
        <SelectField name="from" label="From" options={names} required />
        <SelectField name="to" label="To" options={names} required />
      </div>
      <SelectField name="about" label="Companies" options={scopes} required />
      <CompanyChoice />
      <FormButtons onCancel={onDone}>Generate</FormButtons>
    </Form>
  )
}

const scopes = { all: 'All companies', one: 'One company' }

/** The scope is chosen outright: a name that was typed and not found must not become all companies. */
const ReportChoice = NewReport.omit({ kind: true })
  .extend({ about: z.enum(['all', 'one']) })
  .refine(({ about, company_id }) => about === 'all' || company_id, {
    message: 'Choose a company from the list',
    path: ['company_id'],
  })

function CompanyChoice() {
  return useFormContext().watch('about') === 'one' ? (
    <PickField
      name="company_id"
      label="Company"
      placeholder="Start typing its name"
      find={api.companies.names}
      required
    />
  ) : null
}

/** Newest first, as far back as one report may reach and a year more. */
const monthsBack = (now: Date) =>
  Array.from({ length: months_max + 12 }, (_, ago) =>
    new Date(Date.UTC(now.getUTCFullYear(), now.getUTCMonth() - ago, 1)).toISOString().slice(0, 7),
  )

function Presets({ months }: { months: string[] }) {
  const { setValue, watch } = useFormContext()
  const [from, to] = [watch('from'), watch('to')]
  const presets = presetsOf(months[0] ?? '')
  return (
    <fieldset aria-label="Period" className="flex flex-wrap gap-2">
      {Object.entries(presets).map(([name, [first, end]]) => (
        <Button
          key={name}
          size="small"
          aria-pressed={from === first && to === end}
          className="aria-pressed:border-primary! aria-pressed:bg-primary-wash! aria-pressed:text-primary-ink!"
          onClick={() => {
            setValue('from', first, { shouldValidate: true })
            setValue('to', end, { shouldValidate: true })
          }}
        >
          {name}
        </Button>
      ))}
    </fieldset>
  )
}
