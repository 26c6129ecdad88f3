// A decision, with the sentence that says it is done and the undo beside it.
import { api } from '#api.ts'
import type { Claim } from '#claims/claims.contract.ts'
import { useWrite, type Call } from '#ui/ask.ts'

export function useDecision<I, O extends Claim>(call: Call<I, O>, done: (claim: O) => string) {
  const undo = useWrite(api.review.undo, ({ id }) => `Decision on claim #${id} undone`)
  return useWrite(
    call,
    done,
    ({ id }) =>
      () =>
        undo({ id }),
  )
}
