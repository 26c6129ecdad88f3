// Use of the funds in a period: the claims approved in it, less what was reversed in it.
import { categories, categoryNames } from '#categories.ts'
import type { Tx } from '#lib/db.server.ts'
import type { ReportSheet } from './document.ts'
import { currenciesOf, spanOf, Sums, type Period, type Scope } from './gather.server.ts'

type UsedByCategory = { currency: string; category: string; cents: number; people: number }

export async function usedInPeriod(tx: Tx, scope: Scope[], period: Period) {
  const found = await tx<UsedByCategory[]>`
    select currency, coalesce(category, 'all') as category, sum(cents)::bigint as cents,
      count(distinct person_id) filter (where cents <> 0) as people
    from (select c.currency, u.category, u.person_id, sum(u.cents) as cents
      from private.report_usage(${spanOf(tx, period)}) u join companies c on c.id = u.company_id
      where u.month between ${period.from_on}::date and ${period.to_on}::date
      group by 1, 2, 3) u
    group by grouping sets ((currency), (currency, category))`
  const sums = new Sums()
  for (const { currency, category, ...sum } of found) sums.add(`${currency} ${category}`, sum)
  const sheet: ReportSheet = {
    name: 'Used in the period',
    columns: [
      { title: 'Currency', kind: 'text' },
      { title: 'Category', kind: 'text' },
      { title: 'Used in the period', kind: 'money' },
    ],
    rows: [],
    sums: [],
  }
  for (const currency of currenciesOf(scope)) {
    sums.line(
      `${currency} all`,
      categories.map((category) => `${currency} ${category}`),
    )
    const show = (of: string) =>
      sums.show(`${currency} ${of}`, ({ cents }) => ({ cents, currency }))
    for (const category of categories)
      sheet.rows.push([currency, categoryNames[category], show(category)])
    sheet.sums.push(sheet.rows.push([currency, 'All', show('all')]) - 1)
  }
  return { sheet, hides: sums.hides }
}
