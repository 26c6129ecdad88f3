// What keeps a claim out of payouts, for the page of the claim. It comes when somebody may see it.
import { lazy } from 'react'

export const ClaimBlocks = lazy(async () => ({
  default: (await import('#payouts/ClaimBlocks.tsx')).ClaimBlocks,
}))
