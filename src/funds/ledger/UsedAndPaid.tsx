// Sums of what claims used and payouts paid in the time that the statement is read for, by category.
import { categories, categoryNames, type Category } from '#categories.ts'
import { api } from '#api/api.ts'
import { useRead } from '#ui/ask.ts'
import { dateText } from '#ui/DateText.tsx'
import { Money } from '#ui/Money.tsx'
import { knownOf } from '#ui/url-state.ts'
import { EntryFilter, type UsedAndPaidSums } from './ledger.contract.ts'

type Props = { plan_year: string | undefined; currency: string; from: string; to: string }

type CategorySums = readonly UsedAndPaidSums[]
const cell = 'py-1.5 not-first:pl-3'

export function UsedAndPaid({ plan_year, currency, from, to }: Props) {
  const filter = knownOf(EntryFilter.pick({ plan_year: true, from: true, to: true }), {
    plan_year,
    from: from || undefined,
    to: to || undefined,
  })
  const sums = useRead(api.funds.used_and_paid, filter, { keep: true })
  const of = (category: Category) => sums?.filter((sum) => sum.category === category)
  const sumRow = (name: string, of_row: CategorySums | undefined) => (
    <tr key={name}>
      <th scope="row" className={`${cell} text-left font-normal`}>
        {name}
      </th>
      {(['used_cents', 'paid_cents'] as const).map((column) => (
        <td key={column} className={`${cell} text-right`}>
          {of_row ? (
            <Money
              cents={of_row.reduce((cents, sum) => cents + sum[column], 0)}
              currency={currency}
            />
          ) : (
            '–'
          )}
        </td>
      ))}
    </tr>
  )
  return (
    <section aria-label="Used and paid" className="border-b border-line px-5 py-4">
      <h3 className="text-sm font-semibold">{`Used and paid, ${periodText(filter)}`}</h3>
      <p className="pb-2 text-ui text-soft">
        Claims of this plan year. Used: approved, less reversed. Paid: by payouts, less what came
        back or was withheld.
      </p>
      <table className="w-full max-w-xl text-sm">
        <thead className="text-ui text-faint">
          <tr>
            <th scope="col" className={`${cell} text-left font-medium`}>
              Category
            </th>
            <th scope="col" className={`${cell} text-right font-medium`}>
              Used
            </th>
            <th scope="col" className={`${cell} text-right font-medium`}>
              Paid
            </th>
          </tr>
        </thead>
        <tbody>{categories.map((category) => sumRow(categoryNames[category], of(category)))}</tbody>
        <tfoot className="border-t border-line font-medium">{sumRow('All', sums)}</tfoot>
      </table>
    </section>
  )
}

function periodText({ from, to }: { from?: string | undefined; to?: string | undefined }) {
  if (from && to) return `${dateText(from)} – ${dateText(to)}`
  if (from) return `since ${dateText(from)}`
  return to ? `until ${dateText(to)}` : 'whole plan year'
}
