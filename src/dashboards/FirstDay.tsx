import { ArrowRight, CircleCheck, Circle } from 'lucide-react'
import { Link } from 'react-router'
import { api } from '#api/api.ts'
import { categories } from '#categories.ts'
import type { FundOverview } from '#funds/funds.contract.ts'
import { enoughFor, type FirstDayFacts } from '#companies/companies.contract.ts'
import type { KnownAsker } from '#inquiries/inquiries.contract.ts'
import type { Me } from '#users/users.contract.ts'
import type { z } from 'zod'
import { paths } from '#paths.ts'
import { countsFrom } from '#users/rights.contract.ts'
import { useRead, useWrite } from '#ui/ask.ts'
import { Button } from '#ui/Button.tsx'
import { Card } from '#ui/Card.tsx'
import { count, counted, money } from '#ui/figures.ts'

/** The steps missing until people can claim. Hidden when none is missing, or when it was closed. */
export function FirstDay() {
  const facts = useRead(api.companies.first_day, {})
  const waiting = useRead(api.funds.overview, {})?.waiting
  const me = useRead(api.users.me, {}, { quiet: true })
  const close = useWrite(api.companies.close_first_day, 'Closed')
  if (!facts) return null
  const steps = stepsOf(facts, waiting, me && askerOf(me, facts))
  const to_do = steps.filter(({ done }) => !done)
  if (to_do.length === 0 || facts.is_closed) return null
  const left = to_do.filter(({ later }) => !later).length
  const later = to_do.length - left
  return (
    <Card
      title={
        left > 0
          ? `Until your people can claim, ${counted(left, 'step is', 'steps are')} left`
          : `Your people can claim. ${counted(later, 'step is', 'steps are')} recommended before payouts`
      }
      description={
        left > 0 &&
        later > 0 &&
        `${counted(later, 'more is', 'more are')} recommended before you pay out`
      }
    >
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

type StepProps = {
  title: string
  text: string
  /** Undefined if the reader can do nothing about the step. */
  to?: string | undefined
  done: boolean
  /** State for the page that it links to. */
  state?: Asker | undefined
  /** People can claim without it. */
  later?: boolean
}

const stepStyles = 'flex items-start gap-3 rounded-control px-2 py-2.5'

const Step = ({ to, state, ...step }: StepProps) => (
  <li>
    {to ? (
      <Link to={to} state={state} className={`${stepStyles} transition-colors hover:bg-sunken`}>
        <StepWords {...step} />
        <ArrowRight className="mt-1 size-4 shrink-0 text-faint" aria-hidden />
      </Link>
    ) : (
      <p className={stepStyles}>
        <StepWords {...step} />
      </p>
    )}
  </li>
)

const StepWords = ({ title, text, done }: Omit<StepProps, 'to' | 'state'>) => (
  <>
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
      <span className="block text-ui text-pretty text-soft wrap-anywhere">{text}</span>
    </span>
  </>
)

type WaitingForFunds = FundOverview['waiting'] | undefined

type Asker = z.output<typeof KnownAsker>

const askerOf = (
  { full_name, email, company }: Me,
  { people, people_invited }: FirstDayFacts,
): Asker => ({
  full_name,
  email,
  company: company?.name ?? '',
  people: String(people + people_invited || ''),
})

function stepsOf(
  facts: FirstDayFacts,
  waiting: WaitingForFunds,
  asker: Asker | undefined,
): StepProps[] {
  const { status, admins, has_account, pools } = facts
  return [
    {
      title: 'Activated by the provider',
      text:
        status === 'active'
          ? 'Contributions can come in.'
          : 'Not active yet: the provider checks each new company and has been notified. ' +
            'Until then no money can come in and nobody can claim.',
      done: status === 'active',
    },
    {
      title: 'A plan',
      text: planText(facts),
      to: `${paths.funds}?tab=Plan`,
      done: pools.some(({ each_year_cents }) => each_year_cents > 0),
    },
    {
      title: 'Money in your pools',
      text: moneyText(facts, waiting),
      to: facts.contributed ? paths.funds : paths.contact,
      // The linked form does not ask again for the person's name and company.
      state: facts.contributed ? undefined : asker,
      done: pools.some(({ allocated_cents }) => allocated_cents > 0),
    },
    {
      title: 'People',
      text: peopleText(facts),
      to: paths.employees,
      done: facts.people > 0,
    },
    {
      title: 'A second admin',
      text: adminsText(facts),
      to: `${paths.settings}#rights`,
      done: admins > 1 && !facts.next_second_person,
      later: true,
    },
    {
      title: 'The account to pay from',
      text: has_account ? 'The bank file names it.' : 'Without it no bank file can be made.',
      to: paths.payouts,
      done: has_account,
      later: true,
    },
  ]
}

function adminsText({
  admins,
  admins_waiting,
  admins_invited,
  next_second_person,
}: FirstDayFacts): string {
  if (admins > 1 && next_second_person) return `${countsFrom(next_second_person)}.`
  if (admins > 1) return `${counted(admins, 'admin', 'admins')} can decide.`
  if (admins_waiting > 0) {
    const waiting = counted(admins_waiting, 'admin has', 'admins have')
    return `${waiting} rights that an owner has to confirm in Settings first.`
  }
  if (admins_invited > 0) return 'Invited, but has not joined yet.'
  return (
    'Large claims need two people, and payouts should have two. Invite a colleague, who counts as ' +
    'the second after a day; an admin whom the provider invites counts once you confirm them.'
  )
}

const sum = (cents: readonly number[]) => cents.reduce((all, one) => all + one, 0)

/** The grants of a further person, at once and in the plan year: as much where they don’t come by month. */
const eachOf = ({ pools }: FirstDayFacts) => ({
  each: sum(pools.map(({ each_cents }) => each_cents)),
  year: sum(pools.map(({ each_year_cents }) => each_year_cents)),
})

function planText(facts: FirstDayFacts): string {
  const { currency } = facts
  const { each, year } = eachOf(facts)
  const at_once = each < year ? `, ${money(each, currency)} of it at once` : ''
  return `Anyone who joins today gets ${money(year, currency)} for this plan year${at_once}. Check it before people join.`
}

/** The grants of people invited and of people who wait for one already. */
function needed(
  { pools, currency, people_invited }: FirstDayFacts,
  waiting: WaitingForFunds,
): string {
  const people = people_invited + (waiting?.people ?? 0)
  if (people === 0) return ''
  const cents =
    sum(pools.map(({ invited_cents }) => invited_cents)) +
    sum(categories.map((category) => waiting?.[`${category}_cents`] ?? 0))
  return ` ${counted(people, 'person needs', 'people need')} ${money(cents, currency)} of it.`
}

function moneyText(facts: FirstDayFacts, waiting: WaitingForFunds): string {
  const { pools, currency, contributed } = facts
  const pool = sum(pools.map(({ pool_cents }) => pool_cents))
  const need = needed(facts, waiting)
  if (!contributed)
    return `Nothing has come in. Ask the provider where to pay your contribution, which they record.${need}`
  if (!pools.some(({ allocated_cents }) => allocated_cents > 0))
    return `Money has come in that is not in a category yet. Allocate it.${need}`
  return `${money(pool, currency)} is in your pools for people who come.${need}`
}

function peopleText(facts: FirstDayFacts): string {
  const { pools, currency, people, people_invited } = facts
  const { each, year } = eachOf(facts)
  const now = each < year ? ' now' : ''
  const pool = sum(pools.map(({ pool_cents }) => pool_cents))
  const enough = enoughFor(facts)
  const joined_text =
    people > 0
      ? `${counted(people, 'person is', 'people are')} here. `
      : people_invited > 0
        ? `${counted(people_invited, 'person is', 'people are')} invited, nobody has joined yet. `
        : ''
  const room =
    enough === null
      ? ''
      : enough > 0
        ? `, enough for ${count(enough)} more`
        : ', not enough for one'
  return `${joined_text}Each new person needs ${money(each, currency)}${now}; your pools have ${money(pool, currency)}${room}.`
}
