// The contracts: every feature's questions and answers, under one name each, by the client that loads them in the browser.
import { connection_contracts } from '#connections/contracts.ts'
import { first_load } from '#api/first-load.contracts.ts'
import { lazy } from '#api/lazy.contracts.ts'
import { health_checks } from '#health-checks/health-checks.contract.ts'
import { receipts } from '#receipts/receipts.contract.ts'
import { system } from '#system/system.contract.ts'
import { rights } from '#users/giving.contract.ts'
import { views } from '#views/views.contract.ts'

export const contracts = {
  // `api`: somebody's first page asks them, or the frame around all pages. Each makes every first visit larger.
  ...first_load,
  // `lazy_api`: they come together with the first page that asks one of them. Where a new feature goes.
  ...lazy,
  // `connections_api`: the Connections page alone asks them, and few people open it.
  ...connection_contracts,
  // `<feature>_api` of src/api: a part of a first page that is loaded behind it asks this one, or a page that
  // most people open, which needs nothing of the lazy ones.
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
