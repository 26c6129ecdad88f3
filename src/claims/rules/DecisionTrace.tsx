import { counted } from '#ui/figures.ts'
import { clsx } from 'clsx'
import { ArrowDownNarrowWide, Ban, Check, UserRound } from 'lucide-react'
import { localisedStep } from '#claims/form/localised.ts'
import type { ClaimDetail } from '#claims/claims.contract.ts'
import type { TraceStep } from '#claims/words.contract.ts'
import { dateText } from '#ui/DateText.tsx'

const styles = {
  fine: { Icon: Check, ink: 'text-good', word: 'Passed' },
  human: { Icon: UserRound, ink: 'text-accent-ink', word: 'Needs review' },
  refuses: { Icon: Ban, ink: 'text-bad', word: 'Refuses' },
  lowers: { Icon: ArrowDownNarrowWide, ink: 'text-accent-ink', word: 'Lowers the amount' },
} as const

/** The currency, and the claimant if somebody else reads it. */
type Whose = { currency: string; person?: string }

type UnderPolicy = Pick<ClaimDetail, 'earlier_policy' | 'appeal_of' | 'submitted_at'>
type Checked = UnderPolicy & Pick<ClaimDetail, 'trace' | 'checked_at' | 'receipts_checked_at'>

/** A claim stays under the policy of its submission, and an appealed rest under that of its claim. */
export function underEarlierPolicy({ earlier_policy, appeal_of, submitted_at }: UnderPolicy) {
  if (earlier_policy === null) return undefined
  const which = appeal_of ? 'an earlier policy' : `the policy in force on ${dateText(submitted_at)}`
  return `Under ${which} (version ${earlier_policy})`
}

/** Rules that made a difference come first; the fulfilled ones are one press away. */
export function DecisionTrace({ currency, person, ...claim }: Whose & Checked) {
  const { trace, checked_at } = claim
  const policy = underEarlierPolicy(claim)
  const whose = { currency, ...(person ? { person } : {}) }
  const notable = trace.filter(({ outcome }) => outcome !== 'fine')
  const fine = trace.filter(({ outcome }) => outcome === 'fine')
  return (
    <div className="flex flex-col gap-3 text-sm">
      {policy && <p className="text-ui text-soft">{`${policy}, a newer one is in force now`}</p>}
      {checked_at && <p className="text-ui text-soft">{checkedWhen(checked_at, claim)}</p>}
      {notable.length > 0 && <Steps steps={notable} {...whose} />}
      {fine.length > 0 && (
        <details open={notable.length === 0} className="group">
          <summary className="w-fit cursor-pointer rounded text-ui text-soft marker:text-faint hover:text-ink">
            {`${counted(fine.length, 'check')} passed`}
          </summary>
          <div className="mt-3">
            <Steps steps={fine} {...whose} />
          </div>
        </details>
      )}
    </div>
  )
}

/** When the checks were made: they tell nothing about today. */
function checkedWhen(checked_at: string, { receipts_checked_at, submitted_at }: Checked): string {
  const day = dateText(checked_at)
  const then = day === dateText(submitted_at) ? 'when it was submitted, ' : 'on '
  const receipts = receipts_checked_at
    ? `, its receipts again ${dateText(receipts_checked_at)}`
    : ''
  return `Checked ${then}${day}${receipts}`
}

const Steps = ({ steps, currency, person }: Whose & { steps: readonly TraceStep[] }) => (
  <ol className="flex flex-col gap-2.5">
    {steps.map((step) => {
      const { outcome } = step
      const { Icon, ink, word } = styles[outcome]
      const { title, sentence } = localisedStep(step, currency, person)
      return (
        <li key={`${title} ${sentence}`} className="flex items-start gap-2.5">
          <Icon className={clsx('mt-0.5 size-4 shrink-0', ink)} aria-label={word} />
          <span className="min-w-0 flex-1">
            <span className={clsx('block wrap-anywhere', outcome !== 'fine' && 'font-medium')}>
              {sentence}
            </span>
            <span className="block text-ui text-faint">{title}</span>
          </span>
        </li>
      )
    })}
  </ol>
)
