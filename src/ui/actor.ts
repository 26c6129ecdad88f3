import { createContext, use } from 'react'
import type { Actor } from '#actor.ts'

export const ActorContext = createContext<Actor | undefined>(undefined)

/** Where home is: the dashboard of whoever is signed in, else the front page. */
export const HomeContext = createContext('/')

/** The signed-in person. */
export function useActor(): Actor {
  const actor = use(ActorContext)
  if (!actor) throw new Error('useActor is for signed-in screens')
  return actor
}
