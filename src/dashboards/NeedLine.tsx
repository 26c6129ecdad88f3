import { clsx } from 'clsx'
import { Building2, CalendarX2, FileText, Inbox, UserRound, Wallet } from 'lucide-react'
import { useEffect, useRef, type ReactNode } from 'react'
import { Link } from 'react-router'
import { opensOf, Quick } from '#need-acts.tsx'
import { needText, type Need, type NeedKind } from '#notifications/needs.contract.ts'
import { giverNames } from '#users/rights.contract.ts'
import { useActor } from '#ui/actor.ts'
import { Button, ButtonLink } from '#ui/Button.tsx'
import { DateText } from '#ui/DateText.tsx'
import { Money } from '#ui/Money.tsx'

const icons: Partial<Record<NeedKind, ReactNode>> = {
  pay_run_made: <Wallet aria-hidden />,
  payout_to_make: <Wallet aria-hidden />,
  withheld_to_give_back: <Wallet aria-hidden />,
  overpayment: <Wallet aria-hidden />,
  money_to_allocate: <Wallet aria-hidden />,
  grants_wait: <Wallet aria-hidden />,
  adjustment_waits: <Wallet aria-hidden />,
  company_account: <Wallet aria-hidden />,
  account_missing: <Wallet aria-hidden />,
  payment_returned: <Wallet aria-hidden />,
  join_requested: <UserRound aria-hidden />,
  admin_requested: <UserRound aria-hidden />,
  super_requested: <UserRound aria-hidden />,
  dependent_waits: <UserRound aria-hidden />,
  people_missing: <UserRound aria-hidden />,
  erasure_waits: <UserRound aria-hidden />,
  right_waits: <UserRound aria-hidden />,
  reviewers_missing: <UserRound aria-hidden />,
  company_founded: <Building2 aria-hidden />,
  company_inactive: <Building2 aria-hidden />,
  inquiry: <Inbox aria-hidden />,
  appeal_ends: <CalendarX2 aria-hidden />,
}

type LineProps = {
  need: Need
  done: boolean
  onOpen: () => void
  onDone: () => void
  onGone: () => void
}

/** One thing to do: what, who waits, since when and until when, and the act itself. */
export function NeedLine({ need, done, onOpen, onDone, onGone }: LineProps) {
  const { kind, overdue, who } = need
  const { title, does, to } = needText(need)
  return (
    <li className="flex flex-wrap items-center gap-x-4 gap-y-2 px-5 py-3 text-sm">
      <span className="flex min-w-0 flex-1 basis-64 items-center gap-4">
        <span
          className={clsx(
            'grid size-8 shrink-0 place-items-center self-start rounded-control *:size-4',
            overdue ? 'bg-bad-wash text-bad-ink' : 'bg-accent-wash text-accent-ink',
          )}
        >
          {icons[kind] ?? <FileText aria-hidden />}
        </span>
        <span className="min-w-0">
          {does && !done ? (
            <Link to={to} className="font-medium wrap-anywhere hover:underline">
              {title}
            </Link>
          ) : (
            <span className="font-medium wrap-anywhere">{title}</span>
          )}
          <About need={need} />
        </span>
      </span>
      {done ? (
        <Done onGone={onGone} />
      ) : (
        <span className="flex gap-2 max-sm:ml-12">
          <Quick need={need} onDone={onDone} />
          {opensOf(need) ? (
            <Button
              size="small"
              aria-haspopup="dialog"
              aria-label={[does, title, who].filter(Boolean).join(', ')}
              onClick={onOpen}
            >
              {does}
            </Button>
          ) : (
            does && (
              <ButtonLink size="small" to={to}>
                {does}
              </ButtonLink>
            )
          )}
        </span>
      )}
    </li>
  )
}

const done_shown_ms = 3000

/** A done line keeps its place for a moment: a second press or key must not hit the next line. */
function Done({ onGone }: { onGone: () => void }) {
  const mark = useRef<HTMLSpanElement>(null)
  const latest = useRef(onGone)
  useEffect(() => {
    latest.current = onGone
  })
  useEffect(() => {
    if (document.activeElement === document.body) mark.current?.focus()
    const timer = setTimeout(() => latest.current(), done_shown_ms)
    return () => clearTimeout(timer)
  }, [])
  return (
    <span ref={mark} tabIndex={-1} className="text-soft outline-none max-sm:ml-12">
      Done
    </span>
  )
}

function About({ need }: { need: Need }) {
  const { who, cents, since, due_at, overdue, items, rights, given_by } = need
  const { currency } = useActor()
  return (
    <span className="mt-0.5 flex flex-wrap gap-x-3 text-ui text-soft">
      {who && (
        <span className="wrap-anywhere">
          {given_by ? `for ${who}, given by ${giverNames(given_by)}` : who}
        </span>
      )}
      {cents !== null && currency && <Money cents={cents} currency={currency} />}
      {since && (
        <span>
          {items > 1 && !rights ? 'oldest waiting since ' : 'waiting since '}
          <DateText value={since} />
        </span>
      )}
      {due_at && (
        <span className={overdue ? 'font-medium text-bad-ink' : undefined}>
          {overdue ? 'overdue since ' : 'due '}
          <DateText value={due_at} show={overdue ? 'day' : 'deadline'} />
        </span>
      )}
    </span>
  )
}
