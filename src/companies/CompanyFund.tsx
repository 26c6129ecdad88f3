import { ShieldCheck } from 'lucide-react'
import { api } from '#api/api.ts'
import { useVerify, Verdict } from '#shared/verify.tsx'
import { counted, money } from '#ui/figures.ts'
import { categories, categoryNames } from '#categories.ts'
import { useRead } from '#ui/ask.ts'
import { Bar } from '#ui/Bar.tsx'
import { Button } from '#ui/Button.tsx'
import { Callout } from '#ui/Callout.tsx'
import { Card } from '#ui/Card.tsx'
import { dateText } from '#ui/DateText.tsx'
import { Money } from '#ui/Money.tsx'
import { few_used } from '#ui/NotShown.tsx'
import { Skeleton } from '#ui/Skeleton.tsx'
import { Facts } from '#ui/Facts.tsx'

type FundOfCompany = Awaited<ReturnType<typeof api.funds.of_company>>

export function CompanyFund({ id }: { id: string }) {
  const fund = useRead(api.funds.of_company, { company_id: id })
  return (
    <Card title="Fund" description={fund && yearOf(fund)} actions={<Verify id={id} />}>
      {fund ? <Use fund={fund} /> : <Skeleton className="h-28 w-full" />}
    </Card>
  )
}

const yearOf = ({ plan }: FundOfCompany) =>
  `Plan year ${dateText(plan.plan_year)} – ${dateText(plan.ends_on)}`

function Use({ fund }: { fund: FundOfCompany }) {
  const { total_cents, used_cents, unallocated_cents, percent, currency } = fund
  const shown = (cents: number) => <Money cents={cents} currency={currency} />
  if (used_cents === null || percent === null) {
    return (
      <>
        <p className="mb-4 text-sm text-soft">
          <span className="figures mr-1 text-2xl font-semibold tracking-tight text-ink">
            {shown(total_cents)}
          </span>{' '}
          in the fund. {few_used}.
        </p>
        <Facts facts={[['Not in a category yet', shown(unallocated_cents)]]} />
      </>
    )
  }
  return (
    <>
      <p className="flex flex-wrap items-baseline justify-between gap-x-4 gap-y-1">
        <span className="text-sm text-soft">
          <span className="figures mr-1 text-2xl font-semibold tracking-tight text-ink">
            {shown(used_cents)}
          </span>{' '}
          used of {shown(total_cents)}
        </span>
        <span className="figures text-sm font-semibold">{`${percent}%`}</span>
      </p>
      <Bar className="mt-3 mb-5" percent={percent} label="Fund utilization" />
      <Facts
        facts={[
          ['Not used yet', shown(total_cents - used_cents)],
          ['Of which not in a category', shown(unallocated_cents)],
        ]}
      />
    </>
  )
}

/** Proves the books of this company, or names the first bad entry. */
function Verify({ id }: { id: string }) {
  const { found, pending, check } = useVerify(api.funds.verify, { company_id: id })
  return (
    <>
      <Button size="small" icon={ShieldCheck} loading={pending} onClick={check}>
        Verify ledger
      </Button>
      <div aria-live="polite" className="w-full empty:hidden">
        {found && (
          <Callout tone={found.good ? 'good' : 'bad'}>
            <Verdict {...found} />
          </Callout>
        )}
      </div>
    </>
  )
}

const prorations = { full: 'The full grant', month: 'A twelfth per month', day: 'A share by days' }

/** How the company plans its year: read here, edited by its own admins. */
export function CompanyPlan({ id }: { id: string }) {
  const fund = useRead(api.funds.of_company, { company_id: id })
  return (
    <Card title="Plan" description="Set by the company’s admins, per person and year">
      {fund ? <Facts facts={factsOf(fund)} /> : <Skeleton className="h-56 w-full" />}
    </Card>
  )
}

function factsOf({ plan, currency }: FundOfCompany): [string, string][] {
  const amount = (cents: number) => money(cents, currency)
  const cap = plan.dependent_cap_cents
  return [
    ...categories.map((c): [string, string] => [categoryNames[c], amount(plan[`${c}_cents`])]),
    [
      'Extra per dependent',
      amount(plan.dependent_cents) + (cap === null ? '' : `, up to ${amount(cap)}`),
    ],
    ['People who join later get', prorations[plan.proration]],
    [
      'Unspent at year end',
      plan.carry_over === 'none'
        ? 'Goes back to the company'
        : plan.carry_over === 'all'
          ? 'Carries over'
          : `Carries over, up to ${amount(plan.carry_over_max_cents ?? 0)}`,
    ],
    [
      'Time to file',
      `${counted(plan.filing_days, 'day')}, ${plan.leaver_filing_days} after leaving`,
    ],
  ]
}
