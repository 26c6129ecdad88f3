// A company of three hundred with six kinds of rights, three steps of approval and receipts that its reviewers do not
// see, whose month is lived by acts (month.test.ts) and in the browser (e2e/month.test.ts).
import { plain_step, type ApprovalStep } from '#claims/policies/steps.contract.ts'
import { PolicyTerms } from '#claims/policies/policies.contract.ts'
import type { CompanyRight } from '#users/rights.contract.ts'
import { aKey, refuses, type Api } from './scene.ts'
import { apiOf, signUp } from './server-process.ts'
import type { World } from './world.ts'

export const provider_name = 'Zyxwort Oncology'
const names = ['ana', 'ben', 'pia', 'rolf', 'rita', 'fin', 'fay', 'aud', 'vic'] as const
export type Name = (typeof names)[number]
export const addressOf = (name: string) => `${name}@acme.test`

/** Three hundred employed, nine of whom have an account by now. Money for all of them. */
export async function found({ server, sql }: World) {
  const supplier = await signUp(server, 'provider@healthfund.test', {
    full_name: 'Provider',
    role: 'super_admin',
  })
  await sql`update profiles set status = 'active' where id = ${supplier.id}`
  const helena = await signUp(server, addressOf('helena'), {
    full_name: 'Helena',
    role: 'company_admin',
    company_name: 'Acme',
  })
  const [company] = await sql<[{ id: string }]>`
    update companies set status = 'active', domain_auto_register = true returning id`
  const ids = { helena: helena.id } as Record<Name | 'helena', string>
  for (const name of names) {
    const { id } = await signUp(server, addressOf(name), { full_name: name, role: 'employee' })
    ids[name] = id
  }
  await sql`update profiles set joined_on = '2027-01-01' where role = 'employee'`
  const api = apiOf(server, helena.token)
  const rest = Array.from({ length: 291 }, (_, n) => `Person ${n},person${n}@acme.test,Crew`)
  const csv = new Blob([`name,email,department\n${rest.join('\n')}`])
  const { id } = await api.imports.upload({ file_name: 'people.csv' }, { file: csv })
  await api.imports.start({ id })
  const each = 100_000
  await apiOf(server, supplier.token).funds.contribute({
    company_id: company.id,
    amount_cents: 300 * 12 * each,
    occurred_on: '2027-03-01',
    reference: 'INV 1',
  })
  await api.funds.change_plan({
    ...(await api.funds.plan({})),
    prevention_cents: 2 * each,
    treatment_cents: 5 * each,
    solidarity_cents: each,
  })
  await api.funds.allocate({
    plan_year: '2027-01-01',
    prevention_cents: 300 * 2 * each,
    treatment_cents: 300 * 5 * each,
    solidarity_cents: 300 * each,
  })
  return { company: company.id, admin: addressOf('helena'), ids }
}
type Acme = Awaited<ReturnType<typeof found>>

const given: [Name, CompanyRight][] = [
  ['pia', 'people'],
  ['pia', 'reviewer'],
  ['rolf', 'reviewer'],
  ['rita', 'reviewer'],
  ['rita', 'receipts'],
  ['fin', 'finance'],
  ['fay', 'finance'],
  ['aud', 'auditor'],
  ['vic', 'viewer'],
]

/** Reviewers decide without receipts: any of them; above 300.00 Rita as well; above 1,000.00 Helena, too. */
export async function setUp(world: World, { admin, ids }: Acme) {
  const { rights, policies, settings } = await world.as(admin)
  for (const [name, kind] of given) await rights.give({ person_id: ids[name], kind })
  await settings.change_company({ receipts_restricted: true })
  const { version, ...found_terms } = await policies.current({})
  const people = (name: Name | 'helena'): ApprovalStep => ({
    ...plain_step,
    who: 'people',
    person_ids: [ids[name]],
  })
  await refuses(
    'not_a_reviewer',
    policies.change({
      ...PolicyTerms.parse(found_terms),
      version,
      steps: [people('vic')],
    }),
  )
  await policies.change({
    ...PolicyTerms.parse(found_terms),
    version,
    receipt_above_cents: 1_000_000,
    steps: [
      plain_step,
      { ...people('rita'), above_cents: 30_000, days: 2, deputy_id: ids.pia },
      { ...people('helena'), above_cents: 100_000 },
    ],
  })
}

export async function claims(api: Api, amount_cents: number) {
  const { types } = await api.claims.options({})
  return api.claims.submit(
    {
      category: 'treatment',
      type_id: types.find(({ category }) => category === 'treatment')!.id,
      provider: provider_name,
      service_on: '2027-03-02',
      bill_cents: amount_cents,
      amount_cents,
      receipt_ids: [],
    },
    { idempotency_key: aKey() },
  )
}
