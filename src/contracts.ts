// The contracts: every feature's questions and answers, under one name each.
import { connecting } from '#connections/contracts.ts'
import { groups } from '#employees/groups/groups.contract.ts'
import { first_load } from '#api/first-load.contracts.ts'
import { lazy } from '#api/lazy.contracts.ts'
import { health_checks } from '#health-checks/health-checks.contract.ts'
import { receipts } from '#receipts/receipts.contract.ts'
import { system } from '#system/system.contract.ts'
import { rights } from '#users/giving.contract.ts'
import { views } from '#views/views.contract.ts'

export const contracts = {
  ...first_load,
  ...lazy,
  ...connecting,
  groups,
  health_checks,
  receipts,
  rights,
  system,
  views,
}

export type Contracts = typeof contracts
/** `users.me`, `claims.approve`…: the name of one act. */
export type Act = {
  [Feature in keyof Contracts]: `${Feature}.${keyof Contracts[Feature] & string}`
}[keyof Contracts]
