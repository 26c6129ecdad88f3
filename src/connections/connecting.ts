import { api } from '#api/api.ts'
import { useRead } from '#ui/ask.ts'

/** Why one's company can't be connected to its other systems yet. */
export const useConnectRefusal = () => useRead(api.users.me, {})?.company?.refusals.connect
