import { ArrowRight } from 'lucide-react'
import { Link, useNavigate } from 'react-router'
import { api } from '#api/api.ts'
import { categoryNames } from '#categories.ts'
import { paths } from '#paths.ts'
import { useMay, useOpens } from '#permissions/use-may.ts'
import type { FundOverview } from '#funds/funds.contract.ts'
import { useRead } from '#ui/ask.ts'
import { Button } from '#ui/Button.tsx'
import { Callout } from '#ui/Callout.tsx'
import { count, money } from '#ui/figures.ts'
import { toast } from '#ui/toast.ts'
import { noticesOf, type FundNotice } from './fund-notices.ts'

/** Acts that the figures call for, the most pressing first; nothing if they call for none. */
export function ActionRequired() {
  const navigate = useNavigate()
  const opens = useOpens()
  const funds = useRead(api.funds.overview, {})
  const notices = funds ? noticesOf(funds) : []
  if (!funds || notices.length === 0) return null
  const review = () => {
    toast('Opening budget review...', 'notice')
    void navigate(paths.funds)
  }
  return (
    <Callout
      tone="accent"
      title="Action Required"
      action={
        opens('funds') && (
          <Button size="small" onClick={review}>
            Review Budget
            <ArrowRight className="size-4" aria-hidden />
          </Button>
        )
      }
    >
      <ul className="flex flex-col gap-1">
        {notices.map((notice) => (
          <li key={keyOf(notice)}>
            {sentenceOf(notice, funds.currency)} <Remedy notice={notice} funds={funds} />
          </li>
        ))}
      </ul>
    </Callout>
  )
}

const keyOf = (notice: FundNotice) =>
  notice.kind === 'high_use' ? notice.kind + notice.category : notice.kind

/** Unallocated money is to be allocated; without any, a fuller pool can give some. */
function Remedy({ notice, funds }: { notice: FundNotice; funds: FundOverview }) {
  const may = useMay()
  // The line of what is unallocated leads there.
  if (notice.kind === 'waiting' && funds.unallocated_cents) return null
  const act = notice.kind !== 'high_use' && funds.unallocated_cents ? 'allocate' : 'rebalance'
  // An empty pool can't give to another.
  const is_empty =
    act === 'rebalance' && funds.categories.every(({ free_cents }) => free_cents <= 0)
  if (funds.closed || is_empty || !may(`funds.${act}`)) return null
  return (
    <Link to={`${paths.funds}?open=${act}`} className="rounded underline underline-offset-2">
      {act === 'allocate' ? 'Allocate' : 'Rebalance'}
    </Link>
  )
}

function sentenceOf(notice: FundNotice, currency: string): string {
  if (notice.kind === 'high_use') {
    return `${categoryNames[notice.category]} utilization is at ${notice.percent}%.`
  }
  const amount = money(notice.amount_cents, currency)
  if (notice.kind === 'unallocated') return `${amount} is unallocated.`
  return notice.people === 1
    ? `1 person waits for a grant of ${amount}.`
    : `${count(notice.people)} people wait for grants of ${amount}.`
}
