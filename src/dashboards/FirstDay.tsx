import { ArrowRight, CircleCheck, Circle } from 'lucide-react'
import { Link } from 'react-router'
import { api } from '#api/api.ts'
import { enoughFor, type FirstDay as Facts } from '#companies/companies.contract.ts'
import { paths } from '#paths.ts'
import { useRead, useWrite } from '#ui/ask.ts'
import { Button } from '#ui/Button.tsx'
import { Card } from '#ui/Card.tsx'
import { counted } from '#ui/figures.ts'
import { count, money } from '#ui/Money.tsx'

/** The steps missing until people can claim. Gone once none is, or when it is closed. */
export function FirstDay() {
  const facts = useRead(api.companies.first_day, {})
  const close = useWrite(api.companies.close_first_day, 'Closed')
  if (!facts) return null
  const steps = stepsOf(facts)
  const left = steps.filter(({ done }) => !done).length
  if (left === 0 || facts.is_closed) return null
  return (
    <Card title={`Until your people can claim, ${counted(left, 'step is', 'steps are')} left`}>
      <ol className="-mx-2 grid gap-x-4 lg:grid-cols-2">
        {steps.map((step) => (
          <Step key={step.title} {...step} />
        ))}
      </ol>
      <div className="mt-3 flex justify-end">
        <Button size="small" loading={close.pending} onClick={() => close({})}>
          Close
        </Button>
      </div>
    </Card>
  )
}

type StepProps = { title: string; says: string; to: string; done: boolean }

const Step = ({ title, says, to, done }: StepProps) => (
  <li>
    <Link
      to={to}
      className="flex items-start gap-3 rounded-control px-2 py-2.5 transition-colors hover:bg-sunken"
    >
      {done ? (
        <CircleCheck className="mt-0.5 size-5 shrink-0 text-good-ink" aria-hidden />
      ) : (
        <Circle className="mt-0.5 size-5 shrink-0 text-faint" aria-hidden />
      )}
      <span className="min-w-0 flex-1">
        <span className="block text-sm font-medium">
          {title}
          <span className="sr-only">{done ? ', done' : ', to do'}</span>
        </span>
        <span className="block text-ui text-pretty text-soft wrap-anywhere">{says}</span>
      </span>
      {!done && <ArrowRight className="mt-1 size-4 shrink-0 text-faint" aria-hidden />}
    </Link>
  </li>
)

function stepsOf(facts: Facts): StepProps[] {
  const { status, admins, has_account, pools } = facts
  return [
    {
      title: 'Activated by the provider',
      says:
        status === 'active'
          ? 'Contributions can come in.'
          : 'Not active yet: the provider checks each new company and has been notified. ' +
            'Until then no money can come in and nobody can claim. It costs nothing.',
      to: paths.contact,
      done: status === 'active',
    },
    {
      title: 'A plan',
      says: planSays(facts),
      to: `${paths.funds}?tab=Plan`,
      done: pools.some(({ each_cents }) => each_cents > 0),
    },
    {
      title: 'Money in your pools',
      says: moneySays(facts),
      to: facts.contributed ? paths.funds : paths.contact,
      done: pools.some(({ allocated_cents }) => allocated_cents > 0),
    },
    {
      title: 'People',
      says: peopleSays(facts),
      to: paths.employees,
      done: facts.people > 0,
    },
    {
      title: 'A second admin',
      says: adminsSay(facts),
      to: `${paths.settings}#rights`,
      done: admins > 1,
    },
    {
      title: 'The account to pay from',
      says: has_account
        ? 'The bank file names it.'
        : 'The bank file of a payout names it. It costs nothing.',
      to: paths.payouts,
      done: has_account,
    },
  ]
}

function adminsSay({ admins, admins_waiting, admins_invited }: Facts): string {
  if (admins > 1) return `${counted(admins, 'admin', 'admins')} can decide.`
  if (admins_waiting > 0) {
    const waiting = counted(admins_waiting, 'admin has', 'admins have')
    return `${waiting} rights that an owner has to confirm in Settings first.`
  }
  if (admins_invited > 0) return 'Invited, but has not joined yet. It costs nothing.'
  return (
    'Large claims and payouts need two people. Invite a colleague, who counts as the second after ' +
    'a day; an admin whom the provider invites counts once you confirm them. It costs nothing.'
  )
}

const sum = (cents: readonly number[]) => cents.reduce((all, one) => all + one, 0)

function planSays({ pools, currency }: Facts): string {
  const each = sum(pools.map(({ each_cents }) => each_cents))
  return `Anyone who joins today gets ${money(each, currency)} for this plan year. Check it before people join.`
}

function moneySays({ pools, currency, contributed, people_invited }: Facts): string {
  const pool = sum(pools.map(({ pool_cents }) => pool_cents))
  const need = people_invited * sum(pools.map(({ each_cents }) => each_cents))
  const needed =
    people_invited > 0
      ? ` ${counted(people_invited, 'invited person needs', 'invited people need')} ${money(need, currency)}.`
      : ''
  if (!contributed)
    return `Nothing has come in. Ask the provider where to pay your contribution, which they record.${needed}`
  if (!pools.some(({ allocated_cents }) => allocated_cents > 0))
    return `Money has come in that is not in a category yet. Allocate it.${needed}`
  return `${money(pool, currency)} is in your pools for people who come.${needed}`
}

function peopleSays(facts: Facts): string {
  const { pools, currency, people, people_invited } = facts
  const each = sum(pools.map(({ each_cents }) => each_cents))
  const pool = sum(pools.map(({ pool_cents }) => pool_cents))
  const enough = enoughFor(facts)
  const here =
    people > 0
      ? `${counted(people, 'person is', 'people are')} here. `
      : people_invited > 0
        ? `${counted(people_invited, 'person is', 'people are')} invited, nobody has joined yet. `
        : ''
  const room = enough === null ? '' : `, enough for ${count(enough)} more`
  return `${here}Each new person needs ${money(each, currency)}; your pools have ${money(pool, currency)}${room}.`
}
