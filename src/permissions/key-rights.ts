// The rights of a company's keys, and the acts that each opens; a key's maker needs a right for the same acts
// (private.right_behind). No key can do an act that is not here. Functions and tables that these acts use are granted to the
// login of keys (src/connections/key-login.sql). The same acts are the public API, /api/v1; docs/connections.md says what it
// promises.
import type { Right } from '#connections/connections.contract.ts'
import { contracts, type Act } from '#contracts.ts'
import type { Contract } from '#lib/contract.ts'

/** A key during a request. */
export type ActingKey = {
  id: string
  rights: readonly Right[]
  /** The right by which this act is done. */
  right?: Right | undefined
}

const reading_people = [
  'employees.list',
  'employees.summary',
  'employees.departments',
  'employees.find',
  'groups.list',
] as const satisfies Act[]

export const acts_of_rights: Record<Right, readonly Act[]> = {
  'people:read': reading_people,
  'people:write': [
    ...reading_people, // who changes somebody has to find them first
    'employees.add',
    'employees.edit',
    'employees.leave',
    'employees.stay',
    'employees.suspend',
    'employees.reactivate',
    'employees.resend',
    'imports.upload',
    'imports.list',
    'imports.find',
    'imports.rows',
    'imports.people',
    'imports.rejected',
    'imports.start',
    'imports.undo',
    'imports.discard',
  ],
  'people:provision': [], // it opens /scim/v2, and no act of the API
  'funds:read': ['funds.overview', 'funds.accounts', 'funds.balances', 'funds.trend'],
  'claims:read': ['connections.claims'],
}

/** The right, of those a key has, by which an act may be done; if several open it, the least. */
export const rightFor = (held: readonly Right[], act: Act): Right | undefined =>
  (Object.keys(acts_of_rights) as Right[]).find(
    (one) => held.includes(one) && acts_of_rights[one].includes(act),
  )

const opened = new Set<string>(Object.values(acts_of_rights).flat())

/** The acts that are open to keys, by feature: those of /api/v1. */
export const public_contracts: Record<string, Contract> = Object.fromEntries(
  Object.entries(contracts).flatMap(([feature, contract]) => {
    const acts = Object.entries(contract).filter(([name]) => opened.has(`${feature}.${name}`))
    return acts.length > 0 ? [[feature, Object.fromEntries(acts)]] : []
  }),
)

/** The rights that open an act, for its page. */
export const rightsFor = (act: string): Right[] =>
  (Object.keys(acts_of_rights) as Right[]).filter((one) =>
    acts_of_rights[one].some((opens) => opens === act),
  )
