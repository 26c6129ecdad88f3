// Whether the signed-in person may call an act or open a page; screens show the parts that they may.
import { isOpenTo, type RoleAndRights } from '#permissions/callers.ts'
import type { Act } from '#contracts.ts'
import { callers } from '#policy.ts'
import { claimsTabs, pages, type PageName } from '#paths.ts'
import { useActor } from '#ui/actor.ts'

export function mayCall(act: Act, who: RoleAndRights): boolean {
  const open_to = callers[act]
  return !Array.isArray(open_to) || isOpenTo(open_to, who)
}

export function useMay(): (act: Act) => boolean {
  const actor = useActor()
  return (act) => mayCall(act, actor)
}

export function useOpens(): (page: PageName) => boolean {
  const actor = useActor()
  return (page) => {
    const { open_to } = pages[page]
    return typeof open_to === 'string' || isOpenTo(open_to, actor)
  }
}

/** The tabs at the top of Claims that this person may open. */
export function useClaimsTabs() {
  const opens = useOpens()
  return claimsTabs.filter(({ page }) => opens(page))
}
