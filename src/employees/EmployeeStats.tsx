import { CircleCheck, Scale, Users, Wallet } from 'lucide-react'
import { api } from '#api/api.ts'
import { useRead } from '#ui/ask.ts'
import { StatRow } from '#ui/Card.tsx'
import { count, counted } from '#ui/figures.ts'
import { Money } from '#ui/Money.tsx'

type Summary = Awaited<ReturnType<typeof api.employees.summary>>

/** Counts and sums are kept by the server, so that they agree with the list below at any size. */
export function EmployeeStats({ summary }: { summary: Summary | undefined }) {
  const funds = useRead(api.funds.overview, {})
  const sum = funds?.categories.reduce((total, fund) => total + fund.available_cents, 0)
  const shown = (cents: number | undefined) =>
    funds && cents !== undefined ? <Money cents={cents} currency={funds.currency} /> : undefined
  const here = summary && summary.total - summary.leavers
  return (
    <StatRow
      cards={[
        {
          label: 'Total employees',
          value: here,
          note: summary ? invited(summary) : null,
          icon: <Users aria-hidden />,
        },
        {
          label: 'Active members',
          value: summary?.active,
          note: summary ? away(summary) : null,
          icon: <CircleCheck aria-hidden />,
        },
        {
          label: 'Average fund balance',
          value:
            here === 0
              ? '–'
              : shown(here && sum !== undefined ? Math.round(sum / here) : undefined),
          note: here ? averageOf(here, summary.leavers) : null,
          icon: <Scale aria-hidden />,
        },
        {
          label: 'Total funds',
          value: shown(sum),
          note: `still available this year${summary?.leavers ? ', including to people who left' : ''}`,
          icon: <Wallet aria-hidden />,
        },
      ]}
    />
  )
}

/** Total funds are as the card beside it has them, with those of people who left. */
const averageOf = (here: number, leavers: number) =>
  `total funds${leavers ? ', with those of people who left,' : ''} divided by ${counted(here, 'employee')}`

/** People who left are in the list below, so their number, not counted here, is shown. */
const invited = ({ total, pending, leavers }: Summary) =>
  [
    pending > 0
      ? `${counted(pending, 'invitation')} not accepted yet`
      : total > 0
        ? 'everybody has an account'
        : 'no open invitations',
    leavers > 0 && `plus ${count(leavers)} who left`,
  ]
    .filter(Boolean)
    .join(', ')

const away = ({ suspended }: Summary) =>
  suspended > 0 ? `${count(suspended)} suspended` : 'nobody suspended'
