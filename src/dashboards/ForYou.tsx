import { ArrowRight } from 'lucide-react'
import { api } from '#api.ts'
import { paths } from '#paths.ts'
import { useRead } from '#ui/ask.ts'
import { ButtonLink } from '#ui/Button.tsx'
import { Callout } from '#ui/Callout.tsx'

type Line = { key: string; says: string; does: string; to: string }

/** What waits for the person themselves; nothing where nothing does. */
export function ForYou() {
  const open = useRead(api.claims.mine, { status: 'pending', limit: 100 }, { quiet: true })
  const approved = useRead(api.claims.mine, { status: 'approved', limit: 20 }, { quiet: true })
  const account = useRead(api.payouts.my_account, {}, { quiet: true })
  const unpaid = approved?.claims.some(
    ({ payment }) => payment === 'unpaid' || payment === 'returned',
  )
  const lines: Line[] = (open?.claims ?? [])
    .filter(({ stage }) => stage === 'information_asked')
    .map(({ id }) => ({
      key: `question ${id}`,
      says: `HR has a question about claim #${id}.`,
      does: 'Answer',
      to: paths.my_claim.replace(':id', String(id)),
    }))
  if (account === null && unpaid) {
    const says = 'An approved claim can’t be paid: add your bank account.'
    lines.push({ key: 'account', says, does: 'Add account', to: paths.my_claims })
  }
  if (lines.length === 0) return null
  return (
    <Callout tone="accent" title="Waiting for you">
      <ul className="mt-1 flex flex-col gap-2">
        {lines.map(({ key, says, does, to }) => (
          <li key={key} className="flex flex-wrap items-center justify-between gap-x-4 gap-y-1">
            <span className="min-w-0 flex-1 basis-56">{says}</span>
            <ButtonLink size="small" to={to}>
              {does}
              <ArrowRight className="size-4" aria-hidden />
            </ButtonLink>
          </li>
        ))}
      </ul>
    </Callout>
  )
}
