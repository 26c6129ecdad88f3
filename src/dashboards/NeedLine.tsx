import { clsx } from 'clsx'
import { Building2, CalendarX2, FileText, Inbox, UserRound, Wallet } from 'lucide-react'
import type { ReactNode } from 'react'
import { Link } from 'react-router'
import { api } from '#api.ts'
import { saidOf, type Need, type NeedKind } from '#notifications/needs.contract.ts'
import { useActor } from '#ui/actor.ts'
import { useWrite } from '#ui/ask.ts'
import { Button, ButtonLink } from '#ui/Button.tsx'
import { DateText } from '#ui/DateText.tsx'
import { tellFailure } from '#ui/failure.ts'
import { Money } from '#ui/Money.tsx'

const icons: Partial<Record<NeedKind, ReactNode>> = {
  pay_run_made: <Wallet aria-hidden />,
  payout_to_make: <Wallet aria-hidden />,
  debt: <Wallet aria-hidden />,
  grants_wait: <Wallet aria-hidden />,
  company_account: <Wallet aria-hidden />,
  account_missing: <Wallet aria-hidden />,
  payment_returned: <Wallet aria-hidden />,
  join_requested: <UserRound aria-hidden />,
  admin_requested: <UserRound aria-hidden />,
  super_requested: <UserRound aria-hidden />,
  dependent_waits: <UserRound aria-hidden />,
  people_missing: <UserRound aria-hidden />,
  erasure_waits: <UserRound aria-hidden />,
  company_founded: <Building2 aria-hidden />,
  company_inactive: <Building2 aria-hidden />,
  inquiry: <Inbox aria-hidden />,
  appeal_ends: <CalendarX2 aria-hidden />,
}

type LineProps = { need: Need; done: boolean; onDone: () => void }

/** One thing to do: what, who waits, since when and until when, and the act itself. */
export function NeedLine({ need, done, onDone }: LineProps) {
  const { kind, overdue, version } = need
  const { title, does, to } = saidOf(need)
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
        <span className="text-soft max-sm:ml-12">Done</span>
      ) : (
        <span className="flex gap-2 max-sm:ml-12">
          {version !== null && <InPlace need={need} onDone={onDone} />}
          {does && (
            <ButtonLink size="small" to={to}>
              {version === null ? does : 'Open'}
            </ButtonLink>
          )}
        </span>
      )}
    </li>
  )
}

function About({ need: { who, cents, since, due_at, overdue, items } }: { need: Need }) {
  const { currency } = useActor()
  return (
    <span className="mt-0.5 flex flex-wrap gap-x-3 text-ui text-soft">
      {who && <span className="wrap-anywhere">{who}</span>}
      {cents !== null && currency && <Money cents={cents} currency={currency} />}
      {since && (
        <span>
          {items > 1 ? 'the oldest since ' : 'since '}
          <DateText value={since} />
        </span>
      )}
      {due_at && (
        <span className={overdue ? 'font-medium text-bad-ink' : undefined}>
          {overdue ? 'overdue since ' : 'by '}
          <DateText value={due_at} />
        </span>
      )}
    </span>
  )
}

type InPlaceProps = { need: Need; onDone: () => void }

/** The act itself, where one press is all it takes and it is safe without looking closer. */
function InPlace({ need, onDone }: InPlaceProps) {
  const { kind, number, thing_id, version, who } = need
  const undoClaim = useWrite(api.review.undo, `Decision on claim #${number} undone`)
  const undoDependent = useWrite(api.dependents.undo, `${who} is waiting for approval again`)
  const approveClaim = useWrite(
    api.review.approve,
    `Claim #${number} approved`,
    (claim) => () => undoClaim({ id: claim.id }),
  )
  const approvePerson = useWrite(api.employees.approve, `${who} is approved`)
  const approveDependent = useWrite(
    api.dependents.approve,
    ({ full_name }) => `${full_name} is approved`,
    (dependent) => () => undoDependent({ id: dependent.id }),
  )
  const activate = useWrite(api.companies.activate, ({ name }) => `${name} is active`)
  const id = thing_id ?? ''
  const seen = version ?? 0
  const acts: Partial<Record<NeedKind, { does: string; act: () => Promise<unknown> }>> = {
    claim_submitted: {
      does: 'Approve',
      act: () => approveClaim.submit({ id: number ?? 0, version: seen }),
    },
    join_requested: { does: 'Approve', act: () => approvePerson.submit({ id }) },
    dependent_waits: {
      does: 'Approve',
      act: () => approveDependent.submit({ id, version: seen }),
    },
    company_founded: { does: 'Activate', act: () => activate.submit({ id }) },
  }
  const found = acts[kind]
  const all = [approveClaim, approvePerson, approveDependent, activate]
  if (!found) return null
  return (
    <Button
      size="small"
      variant="primary"
      aria-label={`${found.does} ${who ?? saidOf(need).title}`}
      loading={all.some(({ pending }) => pending)}
      onClick={() => void found.act().then(onDone, tellFailure)}
    >
      {found.does}
    </Button>
  )
}
