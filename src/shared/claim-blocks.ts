// The payment blocks of a claim, for its page. Loaded when somebody may see them.
import { lazy } from 'react'

export const ClaimBlocks = lazy(async () => ({
  default: (await import('#payouts/ClaimBlocks.tsx')).ClaimBlocks,
}))
