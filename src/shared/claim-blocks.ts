// The payment blocks of a claim, for its page. Loaded when somebody may see them.
import { lazy } from 'react'
import { whenOnline } from '#ui/load-again.ts'

export const ClaimBlocks = lazy(async () => ({
  default: (await whenOnline(() => import('#payouts/ClaimBlocks.tsx'))).ClaimBlocks,
}))
