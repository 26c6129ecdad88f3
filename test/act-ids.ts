// Which fields of an act's question are ids, and what each is the id of.
import { contracts } from '#contracts.ts'
import type { Endpoint } from '#lib/contract.ts'
import type { MadeKind } from './world/one-of-each.ts'
import { sampleOf } from './samples.ts'

type Schema = { properties?: Record<string, Schema>; items?: Schema; format?: string }
export type Field = {
  act: string
  feature: string
  path: string
  endpoint: Endpoint
  kind?: MadeKind
}

/** The thing that an id names: by the field's name where that tells, else by the feature or the act. */
const by_field: Record<string, MadeKind> = {
  person_id: 'person',
  person_ids: 'person',
  manager_id: 'person',
  actor_id: 'person',
  about: 'person',
  company_id: 'company',
  company: 'company',
  provider_id: 'provider',
  slot_id: 'slot',
  type_id: 'type',
  type_ids: 'type',
  group_ids: 'group',
  dependent_id: 'dependent',
  receipt_ids: 'receipt',
  claim_id: 'claim',
  account_id: 'account',
  group_id: 'group',
  into_group_id: 'group',
  before_id: 'entry',
  deputy_id: 'person',
  break_glass_id: 'person',
}
const by_feature: Record<string, MadeKind> = {
  absences: 'absence',
  users: 'person',
  companies: 'company',
  employees: 'person',
  imports: 'import',
  many: 'person',
  groups: 'group',
  limits: 'limit',
  payment_blocks: 'payment_block',
  adjustments: 'adjustment',
  dependents: 'dependent',
  claims: 'claim',
  review: 'claim',
  policies: 'type',
  payouts: 'run',
  books: 'run',
  receipts: 'receipt',
  settings: 'session',
  notifications: 'notification',
  inquiries: 'inquiry',
  connections: 'key',
  webhooks: 'webhook',
  scim: 'scim_group',
  reports: 'report',
  rights: 'right',
  views: 'view',
}
const by_act: Record<string, MadeKind> = {
  'funds.reverse_contribution': 'contribution',
  'funds.undo_rebalance': 'rebalance',
  'funds.balances': 'person',
  'funds.of_companies': 'company',
  'rights.of_company': 'company',
  'groups.of_person': 'person',
  'webhooks.replay': 'delivery',
  'health_checks.move': 'booking',
  'health_checks.cancel': 'booking',
  'health_checks.calendar': 'booking',
  'health_checks.change_provider': 'provider',
  'health_checks.close_provider': 'provider',
  'health_checks.reopen_provider': 'provider',
  'health_checks.close_slot': 'slot',
  'health_checks.reopen_slot': 'slot',
  'privacy.retry_export': 'export',
  'privacy.download_export': 'export',
  'privacy.find_erasure': 'erasure',
  'privacy.approve_erasure': 'erasure',
  'privacy.refuse_erasure': 'erasure',
}
const fieldsOf = (schema: Schema, path = ''): string[] =>
  Object.entries(schema.properties ?? {}).flatMap(([name, field]) => {
    const inner = JSON.stringify(field.items ?? {})
    if (name === 'client_id') return [] // what an identity provider calls the product
    const is_id = /(^|_)ids?$/.test(name) || JSON.stringify(field).includes('"format":"uuid"')
    if (field.items?.properties) return fieldsOf(field.items, `${path}${name}.`)
    return is_id || inner.includes('"uuid"') ? [`${path}${name}`] : []
  })

export const fields: Field[] = Object.entries(contracts).flatMap(([feature, contract]) =>
  Object.entries(contract as Record<string, Endpoint>).flatMap(([name, endpoint]) =>
    fieldsOf(sampleOf.schema(endpoint.input) as Schema).map((path): Field => {
      const act = `${feature}.${name}`
      const last = path.split('.').at(-1)!
      const kind = by_field[last] ?? by_act[act] ?? by_feature[feature]
      return { act, feature, path, endpoint, ...(kind ? { kind } : {}) }
    }),
  ),
)
