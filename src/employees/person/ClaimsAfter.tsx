import { Fragment } from 'react'
import { useFormContext } from 'react-hook-form'
import { Link } from 'react-router'
import { api } from '#api/api.ts'
import { paths, pathTo } from '#paths.ts'
import { useMay } from '#permissions/use-may.ts'
import { useRead } from '#ui/ask.ts'
import { Callout } from '#ui/Callout.tsx'
import { dateText } from '#ui/DateText.tsx'
import { counted } from '#ui/figures.ts'

const at_most = 200

/** Open claims for services after the chosen last day. Only reviewers see the days of claims. */
export function ClaimsAfter({ person_id }: { person_id: string }) {
  const may = useMay()
  const left_on = String(useFormContext().watch('left_on') ?? '')
  const queue_input = { person_id, status: 'pending', limit: at_most } as const
  const open = useRead(api.review.queue, may('review.queue') ? queue_input : undefined, {
    quiet: true,
  })
  const after = left_on ? open?.claims.filter(({ service_on }) => service_on > left_on) : undefined
  if (!after?.length) return null
  const one = after.length === 1
  return (
    <Callout
      tone="accent"
      title={`${counted(after.length, 'open claim')} ${one ? 'is' : 'are'} for a service after ${dateText(left_on)}`}
    >
      {'They stay open, and no rule refuses them any more: reviewers should look at '}
      {after.map(({ id }, at) => (
        <Fragment key={id}>
          {at > 0 && (at === after.length - 1 ? ' and ' : ', ')}
          <Link
            to={pathTo(paths.claim, id)}
            className="rounded font-medium text-primary-ink underline underline-offset-2"
          >
            #{id}
          </Link>
        </Fragment>
      ))}
      .
    </Callout>
  )
}
