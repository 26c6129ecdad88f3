import { HandCoins, Plus } from 'lucide-react'
import { useState } from 'react'
import { z } from 'zod'
import { api } from '#api.ts'
import { amountText } from '#ui/amount.ts'
import { AmountField } from '#ui/AmountField.tsx'
import { useRead, useWrite } from '#ui/ask.ts'
import { Button } from '#ui/Button.tsx'
import { Card } from '#ui/Card.tsx'
import { DateText } from '#ui/DateText.tsx'
import { Dialog } from '#ui/Dialog.tsx'
import { Empty } from '#ui/Empty.tsx'
import { Form, SubmitButton } from '#ui/Form.tsx'
import { Money, money } from '#ui/Money.tsx'
import { Table } from '#ui/Table.tsx'
import { TextField } from '#ui/TextField.tsx'
import type { Company } from './companies.contract.ts'

/** The money that came in for a company, newest first. */
export function Contributions({ company }: { company: Company }) {
  const [recording, setRecording] = useState(false)
  const [trail, setTrail] = useState<(string | undefined)[]>([undefined])
  const { id: company_id, currency, status } = company
  const found = useRead(
    api.funds.contributions,
    { company_id, after: trail.at(-1), limit: 10 },
    { keep: true },
  )
  const record = (
    <Button
      size="small"
      icon={<Plus className="size-4" aria-hidden />}
      unless={status === 'active' ? undefined : 'company_not_active'}
      onClick={() => setRecording(true)}
    >
      Record contribution
    </Button>
  )
  return (
    <Card flush title="Contributions" actions={record}>
      <Table
        label="Contributions"
        skeletons={2}
        rows={found?.contributions.map((c) => ({ ...c, id: String(c.id) }))}
        empty={
          <Empty icon={<HandCoins aria-hidden />} title="No money has come in yet">
            Record a contribution, and the company’s admins can allocate it.
          </Empty>
        }
        columns={{
          Reference: ({ reference, actor_name, posted_at }) => (
            <span className="block min-w-0">
              <span className="block">{reference}</span>
              <span className="block text-ui font-normal text-soft">
                {`${actor_name ?? 'Healthfund'}, `}
                <DateText value={posted_at} show="moment" />
              </span>
            </span>
          ),
          'Came in': ({ occurred_on }) => <DateText value={occurred_on} />,
          Amount: {
            end: true,
            cell: ({ amount_cents }) => <Money cents={amount_cents} currency={currency} />,
          },
        }}
      />
      {(trail.length > 1 || found?.next) && (
        <div className="flex justify-end gap-2 border-t border-line px-5 py-3">
          <Button
            size="small"
            disabled={trail.length === 1}
            onClick={() => setTrail(trail.slice(0, -1))}
          >
            Newer
          </Button>
          <Button
            size="small"
            disabled={!found?.next}
            onClick={() => setTrail([...trail, found?.next ?? undefined])}
          >
            Older
          </Button>
        </div>
      )}
      {recording && <Record company={company} onClose={() => setRecording(false)} />}
    </Card>
  )
}

/** The calendar day it is where the company is. */
const todayAt = (time_zone: string) =>
  new Intl.DateTimeFormat('en-CA', { timeZone: time_zone }).format(new Date())

const shapeOf = (currency: string) =>
  z.object({
    amount_cents: amountText(currency).pipe(z.int().positive('Enter an amount above zero')),
    occurred_on: z.iso.date('Choose the day on which the money came in'),
    reference: z.string().trim().min(1, 'Reference required').max(100, 'At most 100 characters'),
  })

function Record({ company, onClose }: { company: Company; onClose: () => void }) {
  const { id: company_id, name, currency, time_zone } = company
  const [shape] = useState(() => shapeOf(currency))
  const [key] = useState(() => crypto.randomUUID())
  const record = useWrite(
    api.funds.contribute,
    ({ amount_cents }) => `${money(amount_cents, currency)} recorded for ${name}`,
  )
  return (
    <Dialog
      open
      onClose={onClose}
      title="Record contribution"
      description={`Money that ${name} paid in. Its admins then allocate it to the categories.`}
    >
      <Form
        name={`contribution:${company_id}`}
        shape={shape}
        defaults={{ occurred_on: todayAt(time_zone) }}
        onSubmit={async (values) => {
          await record.submit({ ...values, company_id }, { idempotency_key: key })
          onClose()
        }}
      >
        <AmountField name="amount_cents" label="Amount" currency={currency} required />
        <TextField
          name="occurred_on"
          label="Came in on"
          type="date"
          max={todayAt(time_zone)}
          required
        />
        <TextField
          name="reference"
          label="Reference"
          hint="Such as the number of the transfer or invoice. Each is recorded once."
          autoComplete="off"
          required
        />
        <div className="flex justify-end">
          <SubmitButton waiting="Recording...">Record contribution</SubmitButton>
        </div>
      </Form>
    </Dialog>
  )
}
