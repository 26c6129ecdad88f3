// A decision, with the sentence that says it is done and the undo beside it.
import { useLocation, useNavigate } from 'react-router'
import { api } from '#api/api.ts'
import type { Claim } from '#claims/claims.contract.ts'
import { paths, pathTo } from '#paths.ts'
import { useWrite, type ActCall } from '#ui/ask.ts'
import { showFailure } from '#ui/failure.ts'

export function useDecision<I, O extends Claim>(call: ActCall<I, O>, done: (claim: O) => string) {
  const undo = useWrite(api.review.undo, ({ id }) => `Decision on claim #${id} undone`)
  const reopen = useReopening()
  return useWrite(call, done, ({ id }) => () => {
    undo.submit({ id }).then(() => reopen(id), showFailure)
  })
}

/** Undo opens the claim again if it was decided on while open, unless its reviewer left the claims. */
function useReopening() {
  const { pathname, search } = useLocation()
  const navigate = useNavigate()
  return (id: number) => {
    if (pathname !== pathTo(paths.claim, id)) return
    if (location.pathname.startsWith(paths.claims))
      void navigate(pathname + search, { replace: true })
  }
}
