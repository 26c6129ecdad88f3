// Decisions on claims, who or what made them and how quickly: all reports compute them here.
import { categories } from '#categories.ts'
import type { Tx } from '#lib/db.server.ts'
import { percentOf } from '#lib/percent.ts'
import { suppressed, type Cell, type SheetColumn } from './document.ts'
import { currenciesOf, spanOf, type Period, type Scope, type Sums } from './gather.server.ts'
import { people_min } from '#lib/suppress.ts'

type DecisionRow = {
  currency: string
  month: string | null
  category: string | null
  company_id: string | null
  type_name: string | null
  /** The working days of all decisions that people made, and how many were within the target. */
  days: number
  in_time: number
} & Record<CountedName, { entries: number; cents: number; people: number }>

/** The counts. Approved and claimed amounts are the ledger's too, so they have its names. */
const counted = {
  claimed: 'claim_held',
  approved: 'claim_approved',
  rejected: 'rejected',
  automatic: 'automatic',
  reviewed: 'reviewed',
  decided: 'decided',
} as const
type CountedName = keyof typeof counted

export const decisionColumns: SheetColumn[] = [
  { title: 'Decided', kind: 'count' },
  { title: 'Approved, number', kind: 'count' },
  { title: 'Rejected, number', kind: 'count' },
  { title: 'Approval rate', kind: 'percent' },
  { title: 'Decided by policy', kind: 'percent' },
  { title: 'Working days to decide', kind: 'days' },
  { title: 'Within target', kind: 'percent' },
]

export const sla_note =
  'Working days to decide and the share within the target are of decisions by people: Mondays to Fridays, ' +
  'less the days in which the employee was asked for something. The target is that of each claim’s terms.'

export class Decisions {
  readonly #sums: Sums
  readonly #paces = new Map<string, { days: number; in_time: number; people: number }>()
  /** The types of each category that something was claimed or decided of, the most claimed first. */
  readonly types = new Map<string, string[]>()

  constructor(sums: Sums, found: DecisionRow[]) {
    this.#sums = sums
    for (const each of found) {
      const { currency, category, type_name } = each
      const place = placeOf(each)
      for (const [field, measure] of Object.entries(counted)) {
        const name = `${measure} ${place}`
        if (!sums.has(name)) sums.add(name, each[field as CountedName])
      }
      const { days, in_time, reviewed } = each
      this.#paces.set(place, { days, in_time, people: reviewed.people })
      if (category && type_name) {
        const of = `${currency} ${category}`
        this.types.set(of, [...(this.types.get(of) ?? []), type_name])
      }
    }
  }

  /** Which of the shown figures add up to which, so that no hidden one can be derived. */
  addLines(scope: readonly Scope[], months: readonly string[]) {
    const sums = this.#sums
    for (const currency of currenciesOf(scope)) {
      const companies = scope.filter((c) => c.currency === currency).map((c) => c.company_id)
      const parts = (of: readonly string[]) => of.map((part) => `${currency} ${part}`)
      for (const measure of Object.values(counted)) {
        for (const places of [parts(months), parts(companies)]) {
          sums.line(
            `${measure} ${currency}`,
            places.map((place) => `${measure} ${place}`),
          )
        }
      }
      for (const place of [currency, ...parts(months), ...parts(companies)]) {
        const of = (...names: CountedName[]) => names.map((name) => `${counted[name]} ${place}`)
        sums.line(`${counted.decided} ${place}`, of('approved', 'rejected'))
        sums.line(`${counted.decided} ${place}`, of('automatic', 'reviewed'))
      }
      this.#addTypes(currency)
    }
  }

  /** Types show what was claimed, approved and rejected; the last not by category. */
  #addTypes(currency: string) {
    const all: string[] = []
    for (const category of categories) {
      const place = `${currency} ${category}`
      const types = (this.types.get(place) ?? []).map((type) => `${place} ${type}`)
      all.push(...types)
      for (const measure of [counted.claimed, counted.approved]) {
        this.#sums.line(
          `${measure} ${place}`,
          types.map((type) => `${measure} ${type}`),
        )
      }
    }
    this.#sums.line(
      `${counted.rejected} ${currency}`,
      all.map((type) => `${counted.rejected} ${type}`),
    )
  }

  cells(place: string): Cell[] {
    const of = (measure: CountedName) => this.#sums.get(`${counted[measure]} ${place}`).entries
    const number = (measure: CountedName) =>
      this.#sums.show(`${counted[measure]} ${place}`, ({ entries }) => entries)
    return [
      number('decided'),
      number('approved'),
      number('rejected'),
      this.approvalRate(place),
      this.#unless(['automatic', 'reviewed'], place, percentOf(of('automatic'), of('decided'))),
      ...this.#pace(place),
    ]
  }

  /** Averages of five people or more tell nobody's number: they need none of the sums to be shown. */
  #pace(place: string): Cell[] {
    const reviewed = this.#sums.get(`${counted.reviewed} ${place}`).entries
    const { days, in_time, people } = this.#paces.get(place) ?? { days: 0, in_time: 0, people: 0 }
    if (people > 0 && people < people_min) return [suppressed, suppressed]
    return [reviewed ? Math.round((10 * days) / reviewed) / 10 : null, percentOf(in_time, reviewed)]
  }

  approvalRate(place: string): Cell {
    const of = (measure: CountedName) => this.#sums.get(`${counted[measure]} ${place}`).entries
    return this.#unless(['approved', 'rejected'], place, percentOf(of('approved'), of('decided')))
  }

  #unless(measures: CountedName[], place: string, cell: Cell): Cell {
    const names = ['decided' as const, ...measures].map((name) => `${counted[name]} ${place}`)
    return names.some((name) => this.#sums.isHidden(name)) ? suppressed : cell
  }
}

const placeOf = ({ currency, month, category, company_id, type_name }: DecisionRow) =>
  [currency, month, category, company_id, type_name].filter(Boolean).join(' ')

/** Gathers them in the snapshot of the report and adds them to its sums. */
export async function decisionsOf(
  tx: Tx,
  sums: Sums,
  scope: readonly Scope[],
  { months, period }: { months: readonly string[]; period: Period },
): Promise<Decisions> {
  const decisions = new Decisions(sums, await foundIn(tx, period))
  decisions.addLines(scope, months)
  return decisions
}

/** Each person counts once in each place: so many people are behind each number. */
function foundIn(tx: Tx, period: Period) {
  const count = (field: CountedName) => tx`json_build_object('entries', sum(${tx(field)}),
    'cents', ${field === 'claimed' || field === 'approved' ? tx`sum(${tx(`${field}_cents`)})` : tx`0`},
    'people', count(*) filter (where ${tx(field)} > 0)) as ${tx(field)}`
  return tx<DecisionRow[]>`
    select currency, month, category, company_id, type_name,
      ${count('claimed')}, ${count('approved')}, ${count('rejected')}, ${count('automatic')},
      ${count('reviewed')}, ${count('decided')}, sum(days) as days, sum(in_time)::bigint as in_time
    from (select currency, month, category, company_id, type_name,
        sum(claimed) as claimed, sum(claimed_cents) as claimed_cents, sum(approved) as approved,
        sum(approved_cents) as approved_cents, sum(rejected) as rejected,
        sum(automatic) as automatic, sum(reviewed) as reviewed, sum(approved + rejected) as decided,
        sum(days) as days, sum(in_time) as in_time
      from private.report_claims(${spanOf(tx, period)})
      group by grouping sets ((currency, person_id), (currency, month, person_id),
        (currency, category, person_id), (currency, company_id, person_id),
        (currency, category, type_name, person_id))) each_person
    group by currency, month, category, company_id, type_name
    order by sum(claimed) desc, currency, month, category, company_id, type_name`
}
