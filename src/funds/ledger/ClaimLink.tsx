import { Link } from 'react-router'
import { pathTo } from '#paths.ts'
import type { FundEntry } from './ledger.contract.ts'

export type EntryRow = Omit<FundEntry, 'id'> & { id: string }

/** A claim that may be opened leads there; any other is its number alone. */
export function ClaimLink({ row: { claim_id, claim_opens }, to }: { row: EntryRow; to: string }) {
  if (claim_id === null) return null
  if (!claim_opens) return `#${claim_id}`
  return (
    <Link
      to={pathTo(to, claim_id)}
      aria-label={`Claim #${claim_id}`}
      className="figures rounded text-primary-ink hover:underline"
    >
      {`#${claim_id}`}
    </Link>
  )
}
