import { categories, categoryNames, type Category } from '#categories.ts'
import { Card } from '#ui/Card.tsx'
import { dateText } from '#ui/DateText.tsx'
import { money } from '#ui/figures.ts'
import { Money } from '#ui/Money.tsx'
import { Skeleton } from '#ui/Skeleton.tsx'
import { Table } from '#ui/Table.tsx'
import type { MyYear } from './my-money.contract.ts'
import { paidLine } from './payout-lines.ts'
import { memberName, planName, wasOverpaid } from '#funds/words.ts'

/** The grants of the plan year and their use by category, and for whom they were used. */
export function MyYearCard({ year }: { year: MyYear | undefined }) {
  if (!year) return <Skeleton className="h-64 w-full" />
  const { currency } = year
  const coming = year.balances.flatMap(({ category, next_on, next_cents }) =>
    next_on
      ? [`${categoryNames[category]} + ${money(next_cents, currency)} on ${dateText(next_on)}`]
      : [],
  )
  const cell = (cents: number) => <Money cents={cents} currency={currency} />
  return (
    <div className="grid items-start gap-6 lg:grid-cols-2">
      <Card
        title="By category"
        description={year.plan_group ? planName(year.plan_group) : undefined}
        flush
      >
        <Table
          label="By category"
          rows={year.balances.map((one) => ({ ...one, id: one.category }))}
          empty="No plan year yet"
          columns={{
            Category: (one) => <span className="font-medium">{categoryNames[one.category]}</span>,
            Allowance: { end: true, cell: (one) => cell(one.total_cents) },
            Used: { end: true, cell: (one) => cell(one.used_cents) },
            'On hold': { end: true, cell: (one) => cell(one.held_cents) },
            ...(wasOverpaid(year.balances)
              ? { Overpaid: { end: true, cell: (one: Balance) => cell(one.overpaid_cents) } }
              : {}),
            Available: {
              end: true,
              cell: (one) => <span className="font-medium">{cell(one.balance_cents)}</span>,
            },
          }}
        />
        {coming.length > 0 && (
          <p className="border-t border-line px-5 py-3 text-ui text-soft">{coming.join(' · ')}</p>
        )}
        {year.paid.length > 0 && (
          <p className="border-t border-line px-5 py-3 text-ui text-soft">{paidLine(year)}</p>
        )}
      </Card>
      <Card title="Used, by family member" flush>
        <Table
          label="Used, by family member"
          rows={membersOf(year)}
          empty="No claim of this plan year was approved yet"
          columns={{
            'For whom': (one) => (
              <span className="font-medium wrap-anywhere" dir="auto">
                {one.name}
              </span>
            ),
            ...Object.fromEntries(
              categories.map((category) => [
                categoryNames[category],
                { end: true, cell: (one: FamilyMember) => cell(one.cents[category]) },
              ]),
            ),
          }}
        />
      </Card>
    </div>
  )
}

type Balance = MyYear['balances'][number]

type FamilyMember = { id: string; name: string; cents: Record<Category, number> }

function membersOf({ used }: MyYear): FamilyMember[] {
  const members = new Map<string, FamilyMember>()
  for (const one of used) {
    const name = memberName(one, 'You')
    const id = one.dependent_id ?? name
    const member = members.get(id) ?? {
      id,
      name,
      cents: { prevention: 0, treatment: 0, solidarity: 0 },
    }
    member.cents[one.category] += one.cents
    members.set(id, member)
  }
  return [...members.values()]
}
