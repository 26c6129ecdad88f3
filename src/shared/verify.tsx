// The proof of the books, or of the record of changes: made again whenever somebody asks for it.
import { useState } from 'react'
import { useWrite, type ActCall } from '#ui/ask.ts'
import { AsOf } from '#ui/AsOf.tsx'
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

export const Verdict = ({ sentence, as_of }: Check) => (
  <>
    {sentence}. <AsOf at={as_of} />
  </>
)
