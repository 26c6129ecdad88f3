import { Failed } from '#ui/Empty.tsx'
import { Skeleton } from '#ui/Skeleton.tsx'
import { ConfirmYou } from './ConfirmYou.tsx'
import { factorCalls } from './factor-calls.ts'
import { useMadeOnce } from './made-once.ts'
import { RecoveryCodes } from './RecoveryCodes.tsx'

/** Recovery codes, made with the first second step. Whoever has codes already skips this page. */
export function FirstCodes({ onDone }: { onDone: () => unknown }) {
  // Setting up the second step may have taken longer than a proof of the password holds.
  const { made, fault, confirming, make, begin } = useMadeOnce(async () => {
    if (!(await factorCalls.codesLeft({}))) return factorCalls.makeCodes({ replacing: false })
    await onDone()
    return undefined
  })
  if (confirming) return <ConfirmYou onDone={make} />
  if (fault) return <Failed sentence={fault} onRetry={() => void begin()} />
  if (!made) return <Skeleton className="h-60 w-full" />
  return <RecoveryCodes codes={made} onDone={onDone} />
}
