import { useMemo, useState } from 'react'
import { Link } from 'react-router'
import { z } from 'zod'
import { paths, pathTo } from '#paths.ts'
import { useOpens } from '#permissions/use-may.ts'
import { lazy_api } from '#api/lazy-api.ts'
import { lastDayOver } from '#shared/last-day.ts'
import { useWrite } from '#ui/ask.ts'
import { Badge } from '#ui/Badge.tsx'
import { Button } from '#ui/Button.tsx'
import { useCursorList } from '#ui/cursor-list.ts'
import { DateText, dateText } from '#ui/DateText.tsx'
import { Dialog } from '#ui/Dialog.tsx'
import { Form, FormButtons } from '#ui/Form.tsx'
import { Money } from '#ui/Money.tsx'
import { MoreButton } from '#ui/MoreButton.tsx'
import { SearchField } from '#ui/SearchField.tsx'
import { Skeleton } from '#ui/Skeleton.tsx'
import { TextField } from '#ui/TextField.tsx'
import { useFilter } from '#ui/url-state.ts'
import { BlockButton, BlockPayment } from './BlockPayment.tsx'
import { payouts, type PayItem, type PayRun } from './payouts.contract.ts'
import { Withheld } from './Withheld.tsx'

type RunItem = z.infer<typeof PayItem>

/** The payment to each person, with its claims. */
export function RunItems({ run }: { run: PayRun }) {
  const [to_check, setToCheck] = useState(false)
  const show: 'to_check' | 'all' = to_check && run.accounts_to_check > 0 ? 'to_check' : 'all'
  const [search] = useFilter('payee')
  const list = useCursorList(lazy_api.payouts.items, {
    id: run.id,
    show,
    search: search || undefined,
  })
  const items = useMemo(() => list.pages?.flatMap((page) => page.items), [list.pages])
  const [returning, setReturning] = useState<RunItem>()
  const [blocking, setBlocking] = useState<RunItem>()
  return (
    <section aria-label="Payments">
      <div className="mb-1 flex flex-wrap items-center justify-between gap-2">
        <h3 className="text-sm font-semibold">Payments</h3>
        {run.accounts_to_check > 0 && (
          <Button size="small" aria-pressed={to_check} onClick={() => setToCheck(!to_check)}>
            {to_check ? 'Show all' : 'Show those to check'}
          </Button>
        )}
      </div>
      <SearchField name="payee" label="Search people" wide />
      {items?.length === 0 && <p className="py-4 text-sm text-soft">No matching people</p>}
      {!items && <Skeleton className="h-40 w-full" />}
      <ul className="divide-y divide-line">
        {items?.map((item) => (
          <ItemLine
            key={item.person_id}
            item={item}
            run={run}
            onReturn={() => setReturning(item)}
            onBlock={() => setBlocking(item)}
          />
        ))}
      </ul>
      <MoreButton list={list} />
      {returning && <Return item={returning} run={run} onClose={() => setReturning(undefined)} />}
      {blocking && (
        <BlockPayment
          person_id={blocking.person_id}
          person_name={blocking.person_name}
          claims={blocking.claim_ids.map((id) => ({ id }))}
          currency={run.currency}
          onClose={() => setBlocking(undefined)}
        />
      )}
    </section>
  )
}

/** Claims by their numbers, which lead to their pages for reviewers. */
function Claims({ ids }: { ids: readonly number[] }) {
  const opens = useOpens()
  return ids.map((id, at) => (
    <span key={id}>
      {at > 0 && ', '}
      {opens('claim') ? (
        <Link to={pathTo(paths.claim, id)} className="rounded hover:underline">
          #{id}
        </Link>
      ) : (
        `#${id}`
      )}
    </span>
  ))
}

type PaymentWay = { by_bank: boolean | null }

export const returnedText = ({ by_bank }: PaymentWay) =>
  by_bank === false ? 'Not paid by payroll' : 'Sent back by the bank'

/** Payroll pays people without a bank account: no bank returns those payments, but payroll may fail to make them. */
const markText = ({ by_bank }: PaymentWay) =>
  by_bank === false ? 'Mark as not paid' : 'Mark as returned'

/** Refusals that the line itself shows, so no disabled button repeats them. */
const shown_by_line = new Set<RunItem['refusals']['return_item']>([
  'run_not_released',
  'nothing_was_paid',
  'already_returned',
])

type LineProps = { item: RunItem; run: PayRun; onReturn: () => void; onBlock: () => void }

const ItemLine = ({ item, run, onReturn, onBlock }: LineProps) => (
  <li className="flex flex-wrap items-center gap-x-4 gap-y-1 py-3 text-sm">
    <div className="min-w-0 flex-1 basis-44 sm:basis-56">
      <p className="flex flex-wrap items-center gap-2">
        <span className="font-medium wrap-anywhere">{item.person_name}</span>
        {lastDayOver(item.left_on) && <Badge>Left the company</Badge>}
        {item.returned_at && <Badge tone="bad">{returnedText(item)}</Badge>}
        {!(item.by_bank ?? item.iban_end) &&
          item.paid_cents > 0 &&
          !item.returned_at &&
          run.status !== 'cancelled' && <Badge tone="accent">Paid by payroll</Badge>}
        {item.account_changed_at && (
          <Badge tone="accent">{`Account set on ${dateText(item.account_changed_at)}`}</Badge>
        )}
        {item.account_shared && <Badge tone="accent">Also somebody else’s account</Badge>}
        {item.account_failed && <Badge tone="bad">A payment to it was sent back</Badge>}
      </p>
      <p className="text-ui wrap-anywhere text-soft">
        {item.iban_end && <span className="figures">•••• {item.iban_end} · </span>}
        <Claims ids={item.claim_ids} />
      </p>
      {item.returned_at && (
        <p className="text-ui wrap-anywhere text-soft">
          <DateText value={item.returned_at} />
          {item.returned_because && `: ${item.returned_because}`}
        </p>
      )}
    </div>
    <div className="max-w-32 text-right sm:max-w-none">
      <p className="font-medium">
        <Money cents={item.paid_cents} currency={run.currency} />
      </p>
      <Withheld {...item} currency={run.currency} />
    </div>
    {!shown_by_line.has(item.refusals.return_item) && (
      <Button
        size="small"
        variant="quiet"
        className="max-sm:-ml-2.5 sm:min-w-34 sm:justify-end"
        unless={item.refusals.return_item}
        aria-label={`${markText(item)}: ${item.person_name}`}
        onClick={onReturn}
      >
        {markText(item)}
      </Button>
    )}
    {run.status === 'made' && (
      <BlockButton name={item.person_name} unless={item.refusals.block} onClick={onBlock} />
    )}
  </li>
)

const ReturnReason = payouts.return_item.input.pick({ reason: true })

function Return({ item, run, onClose }: { item: RunItem; run: PayRun; onClose: () => void }) {
  const { person_id, person_name, by_bank } = item
  const by_payroll = by_bank === false
  const mark = useWrite(
    lazy_api.payouts.return_item,
    by_payroll ? 'Payment marked as not paid' : 'Payment marked as returned',
  )
  return (
    <Dialog
      open
      onClose={onClose}
      title={
        by_payroll
          ? `Payroll could not pay ${person_name}?`
          : `Payment to ${person_name} came back?`
      }
      description={
        'What is still approved of it is unpaid again, so the next payout pays that. ' +
        `${person_name} is ${by_payroll ? 'notified' : 'asked to look at their bank account'}.`
      }
    >
      <Form
        name={`return:${run.id}:${person_id}`}
        shape={ReturnReason}
        onSubmit={async ({ reason }) => {
          await mark.submit({ id: run.id, person_id, reason })
          onClose()
        }}
      >
        <TextField
          name="reason"
          label={by_payroll ? 'What payroll says' : 'What the bank says'}
          required
          placeholder={by_payroll ? 'Left before the pay day' : 'Account closed'}
        />
        <FormButtons onCancel={onClose}>{markText(item)}</FormButtons>
      </Form>
    </Dialog>
  )
}
