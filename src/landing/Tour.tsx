import { roleLabels } from '#paths.ts'
import type { Role } from '#users/users.contract.ts'

const stops: { role: Role; title: string; text: string }[] = [
  {
    role: 'employee',
    title: 'An employee sees what is left, and claims it',
    text:
      'Three balances, each with what remains of the year. A claim is a receipt and a' +
      ' few fields, most of them read from the receipt; the timeline says who has it ' +
      'now.',
  },
  {
    role: 'company_admin',
    title: 'HR decides by its own policy',
    text:
      'The queue is ordered by age, the receipt stands beside what was read from it, ' +
      'and every decision keeps its reasons. What is safe to approve by itself is.',
  },
  {
    role: 'company_admin',
    title: 'The money is never a guess',
    text:
      'Allocated, granted, used, free: four figures per category from one ledger, ' +
      'with a preview before anything moves and an undo after.',
  },
  {
    role: 'super_admin',
    title: 'The provider runs it all, and sees no receipt',
    text:
      'Companies, users, reports and the health of the system. Sums, never what ' +
      'somebody was treated for.',
  },
]

/** The product in four pictures, for whoever does not enter. */
export function Tour() {
  return (
    <ol className="flex flex-col gap-16">
      {stops.map(({ role, title, text }) => (
        <li key={title} className="max-w-2xl">
          <p className="text-ui font-medium text-primary-ink">{roleLabels[role]}</p>
          <h2 className="mt-1 text-2xl font-semibold tracking-tight">{title}</h2>
          <p className="mt-2 text-pretty text-soft">{text}</p>
        </li>
      ))}
    </ol>
  )
}
