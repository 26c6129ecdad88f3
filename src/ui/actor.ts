import { createContext, use } from 'react'
import type { Actor } from '#actor.ts'

/** The actor, and whether rights of theirs wait for an owner, and whether that is all they have. */
type SignedIn = Actor & { rights_wait: boolean; only_waits: boolean }

export const ActorContext = createContext<SignedIn | undefined>(undefined)

/** The address of home: the dashboard of whoever is signed in, else the front page. */
export const HomeContext = createContext('/')

export function useActor(): SignedIn {
  const actor = use(ActorContext)
  if (!actor) throw new Error('useActor is for signed-in screens')
  return actor
}
