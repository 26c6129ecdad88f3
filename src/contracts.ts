// What can be asked: every feature's questions and answers, under one name each.
import { limits } from '#claims/policies/limits.contract.ts'
import { connecting } from '#connections/contracts.ts'
import { groups } from '#employees/groups/groups.contract.ts'
import { everyday } from '#everyday.ts'
import { seldom } from '#seldom.ts'
import { adjustments } from '#funds/adjustments.contract.ts'
import { group_plans } from '#funds/group-plans.contract.ts'
import { health_checks } from '#health-checks/health-checks.contract.ts'
import { payment_blocks } from '#payouts/blocks.contract.ts'
import { receipts } from '#receipts/receipts.contract.ts'
import { system } from '#system/system.contract.ts'
import { rights } from '#users/giving.contract.ts'
import { views } from '#views/views.contract.ts'

export const contracts = {
  ...everyday,
  ...seldom,
  ...connecting,
  adjustments,
  group_plans,
  groups,
  health_checks,
  limits,
  payment_blocks,
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
