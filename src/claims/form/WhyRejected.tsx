import { Callout } from '#ui/Callout.tsx'
import type { ClaimDetail } from '#claims/claims.contract.ts'
import { reasonNames } from '#claims/words.contract.ts'

/** The reason of the first rejection, above the form of a claim made again. */
export const WhyRejected = ({ copied }: { copied: ClaimDetail }) =>
  copied.rejection && (
    <Callout
      tone="accent"
      title={`Claim #${copied.id} was rejected: ${reasonNames[copied.rejection.reason]}`}
    >
      {copied.rejection.text}
    </Callout>
  )
