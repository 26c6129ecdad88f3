import { HandCoins, Plus } from 'lucide-react'
import { useState } from 'react'
import { z } from 'zod'
import { api } from '#api/api.ts'
import { Problem, problems } from '#problems.ts'
import { DateField } from '#ui/DateField.tsx'
import { amountText } from '#ui/amount.ts'
import { AmountField } from '#ui/AmountField.tsx'
import { useActKey } from '#ui/act-key.ts'
import { useRead, useWrite } from '#ui/ask.ts'
import { Button } from '#ui/Button.tsx'
import { todayIn } from '#ui/calendar-days.ts'
import { Card } from '#ui/Card.tsx'
import { ConfirmDialog } from '#ui/ConfirmDialog.tsx'
import { DateText } from '#ui/DateText.tsx'
import { Dialog } from '#ui/Dialog.tsx'
import { Empty } from '#ui/Empty.tsx'
import { money } from '#ui/figures.ts'
import { Form, FormButtons } from '#ui/Form.tsx'
import { Money } from '#ui/Money.tsx'
import { usePages } from '#ui/Pager.tsx'
import { Table } from '#ui/Table.tsx'
import { TextField } from '#ui/TextField.tsx'
import type { CompanyDetail } from './companies.contract.ts'
import { ReverseContribution } from './ReverseContribution.tsx'
import { ledger, type Contribution } from '#funds/ledger/ledger.contract.ts'
import { PositiveCents } from '#funds/terms.contract.ts'

/** The money that came in for a company, newest first. */
export function Contributions({ company }: { company: CompanyDetail }) {
  const [recording, setRecording] = useState(false)
  const [reversing, setReversing] = useState<Contribution>()
  const { id: company_id, currency, refusals } = company
  const { key: after, keep, pager } = usePages<string>(company_id)
  const found = useRead(api.funds.contributions, { company_id, after, limit: 10 }, { keep })
  const record = (
    <Button
      size="small"
      icon={Plus}
      unless={refusals.contribute}
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
            {refusals.contribute
              ? `${problems[refusals.contribute][1]}.`
              : 'Record a contribution, and the company’s admins can allocate it.'}
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
          Amount: { end: true, cell: (c) => <Amount {...c} currency={currency} /> },
          Reversal: {
            end: true,
            cell: (contribution) => (
              <Reversal
                {...contribution}
                onReverse={() => setReversing({ ...contribution, id: Number(contribution.id) })}
              />
            ),
          },
        }}
      />
      {pager(found?.next)}
      {reversing && (
        <ReverseContribution
          company={company}
          contribution={reversing}
          onClose={() => setReversing(undefined)}
        />
      )}
      {recording && <Record company={company} onClose={() => setRecording(false)} />}
    </Card>
  )
}

type AmountProps = Pick<Contribution, 'amount_cents' | 'reversed_at'> & { currency: string }

const Amount = ({ amount_cents, reversed_at, currency }: AmountProps) => (
  <span className={reversed_at ? 'text-faint line-through' : undefined}>
    <Money cents={amount_cents} currency={currency} />
  </span>
)

type ReversalProps = Omit<Contribution, 'id'> & { onReverse: () => void }

const Reversal = (props: ReversalProps) => {
  const { reference, reversed_at, reversed_because, refusals, onReverse } = props
  return reversed_at ? (
    <span className="block text-ui text-soft">
      Reversed <DateText value={reversed_at} />
      <span className="block">{reversed_because}</span>
    </span>
  ) : (
    <Button
      size="small"
      variant="quiet"
      unless={refusals.reverse}
      aria-label={`Reverse ${reference}`}
      onClick={onReverse}
    >
      Reverse
    </Button>
  )
}

const shapeOf = (currency: string) =>
  ledger.contribute.input
    .pick({ occurred_on: true, reference: true })
    .extend({ amount_cents: amountText(currency).pipe(PositiveCents) })

function Record({ company, onClose }: { company: CompanyDetail; onClose: () => void }) {
  const { id: company_id, name, currency, time_zone } = company
  const [shape] = useState(() => shapeOf(currency))
  const key = useActKey()
  const [unusual, setUnusual] = useState<z.output<ReturnType<typeof shapeOf>>>()
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
        defaults={{ occurred_on: todayIn(time_zone) }}
        onSubmit={async (values) => {
          try {
            const input = { ...values, company_id }
            await record.submit(input, { idempotency_key: key.of(input) })
            onClose()
          } catch (error) {
            if (!(error instanceof Problem && error.code === 'contribution_unusual')) throw error
            setUnusual(values)
          }
        }}
      >
        <AmountField name="amount_cents" label="Amount" currency={currency} required />
        <DateField name="occurred_on" label="Came in on" max={todayIn(time_zone)} required />
        <TextField
          name="reference"
          label="Reference"
          hint="Such as the number of the transfer or invoice. Each is recorded once."
          autoComplete="off"
          required
        />
        <FormButtons waiting="Recording...">Record contribution</FormButtons>
      </Form>
      {unusual && (
        <ConfirmDialog
          open
          onClose={() => setUnusual(undefined)}
          title={`Record ${money(unusual.amount_cents, currency)}?`}
          description={`This is far more than was ever recorded at once for ${name}. Please compare it with the bank statement.`}
          does="Record it"
          act={() => {
            const input = { ...unusual, company_id, confirmed: true }
            return record.submit(input, { idempotency_key: key.of(input) })
          }}
          onDone={onClose}
        />
      )}
    </Dialog>
  )
}
