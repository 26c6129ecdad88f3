import { clsx } from 'clsx'
import { TriangleAlert, UserRound, UsersRound, Zap } from 'lucide-react'
import { useFormContext } from 'react-hook-form'
import { Link } from 'react-router'
import { paths, pathTo } from '#paths.ts'
import { counted } from '#ui/figures.ts'
import { SubmitButton } from '#ui/Form.tsx'
import { shown_at_choice, type ClaimChecks } from './NewClaimChecks.tsx'
import { localisedStep } from './localised.ts'

const outcomes = {
  be_approved: {
    Icon: Zap,
    ink: 'text-good-ink',
    text: 'Will be approved right away',
  },
  one_review: {
    Icon: UserRound,
    ink: 'text-soft',
    text: 'HR will review it',
  },
  more_reviews: {
    Icon: UsersRound,
    ink: 'text-soft',
    text: 'More than one HR reviewer will check it',
  },
} as const

/** The button, and beside it what pressing it will do. */
export function NewClaimSend({ checks }: { checks: ClaimChecks }) {
  return (
    <div className={barStyles}>
      <div
        aria-live="polite"
        className="min-w-0 flex-1 basis-56 content-center empty:hidden sm:min-h-10"
      >
        <WhatHappens checks={checks} />
      </div>
      <div className="ml-auto max-sm:w-full max-sm:*:w-full">
        <SubmitButton waiting="Submitting...">Submit claim</SubmitButton>
      </div>
    </div>
  )
}

const barStyles = clsx(
  // The bar sticks at the sheet's edge, so the sheet's own padding is subtracted.
  'sticky -bottom-6 z-10 -mx-6 mt-1 -mb-6 flex flex-wrap items-center justify-between gap-x-4 gap-y-2',
  'border-t border-line bg-raised px-6 py-3',
)

function WhatHappens({ checks: { answer, problems, currency } }: { checks: ClaimChecks }) {
  const { errors } = useFormContext().formState
  // Each problem stands beside its field.
  const fields = new Set(problems.map(({ field }) => field))
  for (const field of Object.keys(errors)) if (field !== 'root') fields.add(field)
  if (fields.size > 0) {
    const too_early = fields.size === 1 && problems.some(({ code }) => shown_at_choice.has(code))
    return (
      <p className="flex items-center gap-2 text-ui text-accent-ink">
        <TriangleAlert className="size-4 shrink-0" aria-hidden />
        {too_early
          ? 'This can’t be claimed yet'
          : `Fix ${counted(fields.size, 'field')} before you submit`}
      </p>
    )
  }
  if (!answer?.would) return null
  const { Icon, ink, text } = outcomes[answer.would]
  const step = answer.trace.find(({ outcome }) => outcome === 'human')
  const why = step && localisedStep(step, currency).sentence
  const [like] = answer.looks_like
  return (
    <>
      {like !== undefined && <LooksLike id={like} />}
      <div className={clsx('flex items-start gap-2 text-ui', ink)}>
        <Icon className="mt-0.5 size-4 shrink-0" aria-hidden />
        <p className="min-w-0">
          <span className="font-medium">{text}</span>
          {answer.would !== 'be_approved' && why && like === undefined && (
            <span className="line-clamp-2 text-faint" title={why}>
              {why}
            </span>
          )}
        </p>
      </div>
    </>
  )
}

/** A warning before the claim is sent: the reviewer would reject the second one. */
const LooksLike = ({ id }: { id: number }) => (
  <p className="flex items-start gap-2 text-ui text-accent-ink">
    <TriangleAlert className="mt-0.5 size-4 shrink-0" aria-hidden />
    <span>
      Looks like your{' '}
      <Link
        to={pathTo(paths.my_claim, id)}
        className="rounded font-medium underline underline-offset-2"
      >
        claim #{id}
      </Link>
      . Submit it only if it is another bill.
    </span>
  </p>
)
