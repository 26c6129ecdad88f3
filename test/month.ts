// A company of three hundred with six kinds of rights, three steps of approval and receipts that its reviewers do not
// see, whose month is lived by acts (month.test.ts) and in the browser (e2e/month.test.ts).
import { plain_step, type ApprovalStep } from '#claims/policies/steps.contract.ts'
import { PolicyTerms } from '#claims/policies/policies.contract.ts'
import type { CompanyRight } from '#users/rights.contract.ts'
import type { World } from './world/by-clock.ts'
import { submitPlainly } from './world/claims.ts'
import { fund, spread } from './world/money.ts'
import { refuses, type Api } from './world/people.ts'

export const provider_name = 'Zyxwort Oncology'
const names = ['ana', 'ben', 'pia', 'rolf', 'rita', 'fin', 'fay', 'aud', 'vic'] as const
export type PersonName = (typeof names)[number]
export const acmeAddress = (name: string) => `${name}@acme.test`

/** Three hundred employed, nine of whom have an account by now. Money for all of them. */
export async function foundAcme(world: World) {
  const supplier = await world.superAdmin()
  const acme = await world.company({ own_domain: 'acme.test', admin: 'Helena' })
  const ids = { helena: acme.admin.id } as Record<PersonName | 'helena', string>
  for (const name of names) ids[name] = (await acme.hire(name)).id
  await world.sql`update profiles set joined_on = '2027-01-01' where role = 'employee'`
  const { funds, imports } = acme.admin.api
  const rest = Array.from({ length: 291 }, (_, n) => `Person ${n},person${n}@acme.test,Crew`)
  const csv = new Blob([`name,email,department\n${rest.join('\n')}`])
  const { id } = await imports.upload({ file_name: 'people.csv' }, { file: csv })
  await imports.start({ id })
  const each = 100_000
  await funds.change_plan({ ...(await funds.plan({})), ...spread(2 * each, 5 * each, each) })
  await fund(supplier, acme, spread(600 * each, 1500 * each, 300 * each), {
    amount_cents: 3600 * each,
  })
  return { company: acme.id, admin: acme.admin.email, ids }
}
type Acme = Awaited<ReturnType<typeof foundAcme>>

const rights_given: [PersonName, CompanyRight][] = [
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
  for (const [name, kind] of rights_given) await rights.give({ person_id: ids[name], kind })
  await settings.change_company({ receipts_restricted: true })
  const { version, ...found_terms } = await policies.current({})
  const people = (name: PersonName | 'helena'): ApprovalStep => ({
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

export const claimPlainly = (api: Api, amount_cents: number) =>
  submitPlainly(api, {
    category: 'treatment',
    provider: provider_name,
    service_on: '2027-03-02',
    amount_cents,
  })
