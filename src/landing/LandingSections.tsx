import { clsx } from 'clsx'
import {
  ChartNoAxesCombined,
  CircleCheck,
  HeartPulse,
  PiggyBank,
  ReceiptText,
  ShieldCheck,
  UsersRound,
} from 'lucide-react'
import type { ReactNode } from 'react'

const column = 'mx-auto w-full max-w-6xl px-5 sm:px-8'

function Heading({ title, children }: { title: string; children: ReactNode }) {
  return (
    <div className="max-w-2xl">
      <h2 className="text-3xl font-semibold tracking-tight text-balance sm:text-4xl">{title}</h2>
      <p className="mt-4 text-pretty text-soft sm:text-lg">{children}</p>
    </div>
  )
}

const features = [
  {
    Icon: ShieldCheck,
    title: 'Secure Fund Management',
    text: 'Every cent has an owner, a reason and an entry that nobody can edit.',
  },
  {
    Icon: UsersRound,
    title: 'Multi-Role Access',
    text: 'Provider, HR and employees each have their place, and see what is theirs to see.',
  },
  {
    Icon: ChartNoAxesCombined,
    title: 'Real-Time Analytics',
    text: 'Utilization, trends and forecasts, from the same entries that move the money.',
  },
  {
    Icon: ReceiptText,
    title: 'Automated Claims',
    text: 'A receipt is read and checked against your policy. Large claims need two approvals.',
  },
  {
    Icon: HeartPulse,
    title: 'Wellness Programs',
    text: 'Health checks to book, reminders from facts, and money set aside for prevention.',
  },
  {
    Icon: PiggyBank,
    title: 'Budget Optimization',
    text: 'Alerts before a category runs dry, and rebalancing between categories with a preview.',
  },
]

const grid = clsx(
  'mt-12 grid gap-px overflow-hidden rounded-2xl border border-line bg-line',
  'sm:grid-cols-2 lg:grid-cols-3',
)

export function Features() {
  return (
    <section id="features" className={`${column} scroll-mt-16 py-20 sm:py-28`}>
      <Heading title="Everything a health fund needs">
        From the first contribution to the last receipt, in one place that your finance team and
        your people both understand.
      </Heading>
      <ul className={grid}>
        {features.map(({ Icon, title, text }) => (
          <li key={title} className="bg-surface p-7">
            <span className="grid size-10 place-items-center rounded-card bg-primary-wash text-primary-ink">
              <Icon className="size-5" aria-hidden />
            </span>
            <h3 className="mt-5 font-semibold">{title}</h3>
            <p className="mt-2 text-sm leading-relaxed text-pretty text-soft">{text}</p>
          </li>
        ))}
      </ul>
    </section>
  )
}

const categories = [
  {
    name: 'Prevention',
    dot: 'bg-prevention',
    text: 'Health checks, vaccinations, dental and eye tests, fitness: what keeps people well.',
  },
  {
    name: 'Treatment',
    dot: 'bg-treatment',
    text: 'Doctors, medicine, physiotherapy, mental health: what makes people well again.',
  },
  {
    name: 'Solidarity',
    dot: 'bg-solidarity',
    text: 'Cover for a spouse, children and parents: what helps the people they love.',
  },
]

export function Categories() {
  return (
    <section id="categories" className="scroll-mt-16">
      <div className={`${column} py-20 sm:py-28`}>
        <Heading title="One fund, three purposes">
          Your company sets an amount for each. Everybody sees at a glance what is left, and for
          what.
        </Heading>
        <ul className="mt-12 grid gap-10 md:grid-cols-3">
          {categories.map(({ name, dot, text }) => (
            <li key={name}>
              <span className={`block h-1.5 w-full rounded-full ${dot}`} aria-hidden="true" />
              <h3 className="mt-5 text-lg font-semibold">{name}</h3>
              <p className="mt-2 text-pretty text-soft">{text}</p>
            </li>
          ))}
        </ul>
      </div>
    </section>
  )
}

const benefits = [
  'Automated claim processing with multi-tier approval workflows',
  'Analytics dashboards for the provider, HR and every employee',
  'Budget tracking, with alerts at 60, 80 and 95 percent',
  'Bulk employee onboarding from a CSV file or by email domain',
  'Family cover for spouses, children and parents',
  'Receipts encrypted at rest, each opening recorded',
  'A decision that explains itself: which rule, which amount, why',
  'Payroll and SEPA files at the end, not a spreadsheet',
]

export function Benefits() {
  return (
    <section id="benefits" className={`${column} scroll-mt-16 py-20 sm:py-28`}>
      <div className="grid gap-12 lg:grid-cols-[5fr_6fr] lg:gap-20">
        <Heading title="Less paperwork for HR, more health for everybody">
          What used to be forms, emails and a shared spreadsheet becomes a queue that empties itself
          where it safely can, and asks where it should.
        </Heading>
        <ul className="grid content-start gap-x-8 gap-y-5 sm:grid-cols-2">
          {benefits.map((benefit) => (
            <li key={benefit} className="flex gap-3 text-pretty">
              <CircleCheck className="mt-0.5 size-5 shrink-0 text-primary" aria-hidden />
              {benefit}
            </li>
          ))}
        </ul>
      </div>
    </section>
  )
}
