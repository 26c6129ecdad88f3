// The proof of the books, or of the record of changes: made again whenever somebody asks for it.
import { useState } from 'react'
import { useWrite, type ActCall } from '#ui/ask.ts'
import { DateText } from '#ui/DateText.tsx'
import { showFailure } from '#ui/failure.ts'

type Check = { good: boolean; sentence: string; as_of: string }

export function useVerify<I, O extends Check>(call: ActCall<I, O>, input: I) {
  const verify = useWrite(call)
  const [found, setFound] = useState<O>()
  const check = async () => {
    setFound(undefined)
    try {
      setFound(await verify.submit(input))
    } catch (error) {
      showFailure(error)
    }
  }
  return { found, pending: verify.pending, check: () => void check() }
}

/** With until when what was read knows all that was done. */
export const Verdict = ({ sentence, as_of }: Check) => (
  <>
    {sentence}.{' '}
    <span className="text-soft">
      As of <DateText value={as_of} show="moment" />.
    </span>
  </>
)
