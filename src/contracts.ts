// What can be asked: every feature's questions and answers, under one name each.
import { live } from '#system/live.contract.ts'
import { users } from '#users/users.contract.ts'

export const contracts = { users, live }

export type Contracts = typeof contracts
/** `users.me`, `claims.approve`…: the name of one act. */
export type Act = {
  [Feature in keyof Contracts]: `${Feature}.${keyof Contracts[Feature] & string}`
}[keyof Contracts]
