// The movements behind the balances of the fund allocation: by them it adds up from one end of a period to the next.
import type { Tx } from '#lib/db.server.ts'
import { people_min } from '#lib/suppress.ts'
import type { ReportSheet } from './document.ts'
import { currenciesOf, spanOf, Sums, type Period, type Scope, type Sum } from './gather.server.ts'

/** Events of `private.report_movements` that are no claim's: claims have a report of their own. */
const events: Record<string, string> = {
  contribution: 'Contributions',
  contribution_reversed: 'Contributions reversed',
  allocation: 'Allocated to categories',
  deallocation: 'Returned from categories',
  rebalance: 'Rebalanced between categories',
  rebalance_undone: 'Rebalances undone',
  grant: 'Granted to people',
  grant_lowered: 'Grants lowered',
  adjusted_up: 'Balances raised',
  adjusted_down: 'Balances lowered',
  left: 'Back from leavers',
  expired: 'Expired',
  year_closed: 'Back from people at year end',
  pool_closed: 'Back from categories at year end',
  carried_out: 'Carried out of the plan year',
  carried_in: 'Carried into the next plan year',
}

/** The sum of these is shown, as pools hold it: whoever knows all but one of them knows that one, too. */
const of_pools = ['grant', 'grant_lowered', 'adjusted_up', 'adjusted_down', 'left', 'year_closed']
/** The same for money that people hold. */
const of_people = [...of_pools, 'expired', 'carried_out', 'carried_in']
/** The unused part of a grant tells how much of it was used. */
const tells_use = ['left', 'expired', 'year_closed', 'carried_out', 'carried_in']

type EventSum = Sum & { currency: string; event: string }

export async function movements(tx: Tx, scope: Scope[], period: Period) {
  const found = await tx<EventSum[]>`
    select currency, event, sum(entries)::bigint as entries, sum(cents)::bigint as cents,
      count(distinct person_id) as people
    from private.report_movements(${spanOf(tx, period)})
    where event = any (${Object.keys(events)}) group by currency, event
    order by currency, array_position(${Object.keys(events)}::text[], event)`
  const sums = new Sums()
  for (const { currency, event, people, ...sum } of found) {
    const few_matter = people === 0 || tells_use.includes(event)
    sums.add(`${event} ${currency}`, { ...sum, people: few_matter ? people : people + people_min })
  }
  for (const currency of currenciesOf(scope)) {
    for (const [whole, parts] of [
      ['in pools', of_pools],
      ['with people', of_people],
    ] as const) {
      sums.line(
        `${whole} ${currency}`,
        parts.map((event) => `${event} ${currency}`),
      )
    }
  }
  const sheet: ReportSheet = {
    name: 'Movements',
    columns: [
      { title: 'Currency', kind: 'text' },
      { title: 'Movement', kind: 'text' },
      { title: 'Entries', kind: 'count' },
      { title: 'Amount', kind: 'money' },
    ],
    rows: found.map(({ currency, event, entries, cents }) => [
      currency,
      events[event] ?? event,
      sums.show(`${event} ${currency}`, () => entries),
      sums.show(`${event} ${currency}`, () => ({ cents, currency })),
    ]),
    sums: [],
  }
  return { sheet, hides: sums.hides }
}
