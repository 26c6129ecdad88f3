import { clsx } from 'clsx'
import { problems } from '#problems.ts'
import { Callout } from '#ui/Callout.tsx'
import { Skeleton } from '#ui/Skeleton.tsx'
import { count, counted, money } from '#ui/figures.ts'
import type { Preview } from './policies.contract.ts'
import type { ApprovalStep } from './steps.contract.ts'

type ClaimSplit = Preview['now']
type Props = {
  preview: Preview | undefined
  currency: string
  changed: boolean
  /** The steps to preview, once the terms are complete. */
  steps: ApprovalStep[] | undefined
}

const outcome_kinds = [
  ['automatic', 'Automatic', 'fill-primary', 'bg-primary'],
  ['one_review', 'One approver', 'fill-secondary', 'bg-secondary'],
  ['more_reviews', 'Several approvers', 'fill-accent', 'bg-accent'],
] as const

export function PolicyPreview({ preview, currency, changed, steps }: Props) {
  if (!steps) return <p className="text-sm text-soft">Complete the terms to see their effect.</p>
  if (!preview) return <Skeleton className="h-44 w-full" />
  const refused = preview.refusal && (
    <Callout tone="bad" title="These terms can’t be saved">
      {problems[preview.refusal][1]}
    </Callout>
  )
  if (preview.claims === 0) {
    return (
      <>
        {refused}
        <p className="text-sm text-soft">There were no claims in the last twelve months.</p>
      </>
    )
  }
  const { now, instead } = preview
  return (
    <div aria-live="polite" className="flex flex-col gap-4 text-sm">
      {refused}
      <Shares title="As it was" split={now} all={preview.claims} />
      <Shares
        title={changed ? 'Under these terms' : 'Under the current terms'}
        split={instead}
        all={preview.claims}
      />
      <table className="w-full text-ui">
        <thead>
          <tr className="text-xs text-faint">
            <th scope="col" className="pb-1 text-left font-medium">
              {counted(preview.claims, 'claim')}
            </th>
            <th scope="col" className="pb-1 text-right font-medium">
              Was
            </th>
            <th scope="col" className="pb-1 text-right font-medium">
              Would be
            </th>
          </tr>
        </thead>
        <tbody className="divide-y divide-line border-y border-line">
          {outcome_kinds.map(([kind, title, , spot]) => (
            <tr key={kind}>
              <th scope="row" className="py-1.5 text-left font-normal">
                <span aria-hidden className={clsx('mr-2 inline-block size-2 rounded-full', spot)} />
                {title}
              </th>
              <td className="figures py-1.5 text-right text-soft">{count(now[kind])}</td>
              <td className="figures py-1.5 text-right font-medium">{count(instead[kind])}</td>
            </tr>
          ))}
          <tr>
            <th scope="row" className="py-1.5 text-left font-normal">
              Approved automatically
            </th>
            <td className="figures py-1.5 text-right text-soft">
              {money(preview.automatic_cents_now, currency, true)}
            </td>
            <td className="figures py-1.5 text-right font-medium">
              {money(preview.automatic_cents_then, currency, true)}
            </td>
          </tr>
        </tbody>
      </table>
      {preview.steps.length > 0 && <Steps preview={preview} currency={currency} />}
      <AsOfToday steps={steps} />
    </div>
  )
}

/** A claim does not keep its person's department and groups, so the preview takes today's. */
const AsOfToday = ({ steps }: { steps: ApprovalStep[] }) =>
  steps.some(({ departments, group_ids }) => departments.length + group_ids.length > 0) && (
    <p className="text-ui text-soft">Each person’s department and groups are today’s.</p>
  )

/** How much each step would have decided, and how long its people took for what they did decide. */
const Steps = ({ preview, currency }: { preview: Preview; currency: string }) => (
  <table className="w-full text-ui">
    <thead>
      <tr className="text-xs text-faint">
        <th scope="col" className="pb-1 text-left font-medium">
          Step
        </th>
        <th scope="col" className="pb-1 text-right font-medium">
          Claims
        </th>
        <th scope="col" className="pb-1 text-right font-medium">
          Amount
        </th>
        <th scope="col" className="pb-1 text-right font-medium">
          Usually
        </th>
      </tr>
    </thead>
    <tbody className="divide-y divide-line border-y border-line">
      {preview.steps.map(({ number, claims, amount_cents, days }) => (
        <tr key={number}>
          <th scope="row" className="py-1.5 text-left font-normal">
            {number}
          </th>
          <td className="figures py-1.5 text-right">{count(claims)}</td>
          <td className="figures py-1.5 text-right">{money(amount_cents, currency, true)}</td>
          <td className="py-1.5 text-right text-soft">
            {days === null || claims === 0
              ? '–'
              : days < 1
                ? 'under a day'
                : counted(Math.round(days), 'day')}
          </td>
        </tr>
      ))}
    </tbody>
  </table>
)

type SharesProps = { title: string; split: ClaimSplit; all: number }

function Shares({ title, split, all }: SharesProps) {
  const share = (kind: keyof ClaimSplit) => (split[kind] / all) * 100
  const shares = outcome_kinds
    .map(([kind, name]) => `${name} ${Math.round(share(kind))}%`)
    .join(', ')
  const starts = [0, share('automatic'), share('automatic') + share('one_review')]
  return (
    <div>
      <p className="mb-1.5 text-ui text-soft">{title}</p>
      <svg
        role="img"
        aria-label={`${title}: ${shares}`}
        className="block h-3.5 w-full overflow-hidden rounded-full bg-sunken"
        preserveAspectRatio="none"
      >
        {outcome_kinds.map(([kind, , fill], at) => (
          <rect
            key={kind}
            x={`${starts[at] ?? 0}%`}
            width={`${share(kind)}%`}
            height="100%"
            className={clsx(fill, 'stroke-surface transition-[width,x] duration-300')}
            strokeWidth={share(kind) > 0 && share(kind) < 100 ? 2 : 0}
          />
        ))}
      </svg>
    </div>
  )
}
