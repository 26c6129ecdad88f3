import { useMemo, useState } from 'react'
import { most_picked } from './many.contract.ts'

type PickedPerson = { id: string; full_name: string }

export type PickedPeople = ReturnType<typeof usePicked>

/** Which people of the list are picked, for what is done to many at once. */
export function usePicked() {
  const [ids, setIds] = useState<ReadonlySet<string>>(new Set())
  return useMemo(
    () => ({
      ids,
      has: ({ id }: PickedPerson) => ids.has(id),
      toggle: ({ id }: PickedPerson) =>
        setIds((before) => {
          const next = new Set(before)
          if (!next.delete(id) && next.size < most_picked) next.add(id)
          return next
        }),
      nameOf: ({ full_name }: PickedPerson) => full_name,
      clear: () => setIds(new Set()),
    }),
    [ids],
  )
}
