import { createContext, use } from 'react'
import type { Actor } from '#policy.ts'

export const ActorContext = createContext<Actor | undefined>(undefined)

/** Who is signed in. */
export function useActor(): Actor {
  const actor = use(ActorContext)
  if (!actor) throw new Error('useActor is for signed-in screens')
  return actor
}
