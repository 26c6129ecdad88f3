import { roleLabels } from '#paths.ts'
import { useTheme } from '#ui/theme.ts'
import type { Role } from '#users/users.contract.ts'
import { pictures } from './pictures.ts'

type TourStop = {
  role: Role
  name: keyof typeof pictures
  title: string
  text: string
  alt: string
}

const stops: TourStop[] = [
  {
    role: 'employee',
    name: 'employee',
    title: 'An employee sees what is left, and claims it',
    text:
      'Three balances, each with what remains of the year. A claim is a receipt and a few fields, most of ' +
      'them read from the receipt; the timeline says who has it now.',
    alt: 'An employee’s dashboard with three balances and recent claims',
  },
  {
    role: 'company_admin',
    name: 'claims',
    title: 'HR decides by its own policy',
    text:
      'The queue is ordered by age, each receipt is next to what was read from it, and every decision ' +
      'keeps its reasons. What is safe is approved automatically.',
    alt: 'The queue of claims that HR decides on',
  },
  {
    role: 'company_admin',
    name: 'funds',
    title: 'The money is never a guess',
    text:
      'Allocated, granted, used, free: four figures per category from one ledger, with a preview before ' +
      'anything moves and an undo after.',
    alt: 'The funds of a company by category',
  },
  {
    role: 'super_admin',
    name: 'provider',
    title: 'The provider runs it all, and sees no receipt',
    text: 'Companies, users, reports and the health of the system. Sums, never what somebody was treated for.',
    alt: 'The provider’s dashboard with companies and the health of the system',
  },
]

/** The product in four pictures, for whoever does not enter. */
export function Tour() {
  const theme = useTheme()
  const dark = { system: '(prefers-color-scheme: dark)', light: 'not all', dark: 'all' }[theme]
  return (
    <ol className="flex flex-col gap-16 sm:gap-24">
      {stops.map(({ role, name, title, text, alt }) => (
        <li key={title} className="grid items-center gap-8 lg:grid-cols-[4fr_7fr] lg:gap-14">
          <div>
            <p className="text-ui font-medium text-primary-ink">{roleLabels[role]}</p>
            <h2 className="mt-1 text-2xl font-semibold tracking-tight text-balance">{title}</h2>
            <p className="mt-3 text-pretty text-soft">{text}</p>
          </div>
          <picture className="block overflow-hidden rounded-xl shadow-raised ring-1 ring-line">
            <source media={dark} srcSet={pictures[name].dark} />
            <img
              src={pictures[name].light}
              alt={alt}
              width={1440}
              height={900}
              loading="lazy"
              className="h-auto w-full"
            />
          </picture>
        </li>
      ))}
    </ol>
  )
}
