import { Failed } from '#ui/Empty.tsx'
import { Skeleton } from '#ui/Skeleton.tsx'
import { ConfirmYou } from './ConfirmYou.tsx'
import { factorCalls } from './factor-calls.ts'
import { useMadeOnce } from './made-once.ts'
import { RecoveryCodes } from './RecoveryCodes.tsx'

/** After the first second step: its recovery codes. Whoever has some already just goes on. */
export function FirstCodes({ onDone }: { onDone: () => unknown }) {
  // Setting up the second step may have taken longer than the password counts.
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
