// Somebody about whom there is one of everything that is kept, and whatever could be said of them in words was said.
import { open } from './health-checks.ts'
import { payee, payingCompany } from './payouts.ts'
import type { Person } from './people.ts'
import { giveRights } from './rights.ts'
import type { Scene } from './scene.ts'

type Living = Awaited<ReturnType<typeof payingCompany>> & { scene: Scene; person: Person }

/** A word in each sentence about them, so that none is found by chance. */
export const needle = 'needle-of-hers'
const needleAt = (where: string) => `${needle}: ${where}`

/** A company and one of its people, to whom the company owes nothing any more, nor they to it. */
export async function livedLife(scene: Scene) {
  const company = await payingCompany(scene)
  const person = await payee(company.acme, 'Anna', needleAt('holder'))
  const living = { ...company, scene, person }
  await ofFamily(living)
  await ofMoney(living)
  await ofClaims(living)
  await ofAccount(living)
  await ofCompany(living)
  await scene.confirm(person)
  await person.api.privacy.request_export({})
  return living
}

async function ofFamily({ acme, hr, person }: Living) {
  await person.api.dependents.add({
    full_name: needleAt('child'),
    relationship: 'child',
    born_on: '2019-05-05',
    covered_from: acme.plan_year,
  })
  const { slots } = await open(acme.provider)
  await person.api.health_checks.book({ slot_id: slots[0]!.id })
  await hr.api.employees.add_note({ id: person.id, text: needleAt('note') })
}

/** Paid, returned by the bank, paid again, reversed and written off; kept out of payouts for a while; adjusted. */
async function ofMoney({ acme, hr, second, make, person }: Living) {
  const { id: person_id } = person
  const { id } = await acme.agreeing(person, { amount_cents: 5000, note: needleAt('claim') })
  const run = await second.api.payouts.release(await make())
  await hr.api.payouts.return_item({ id: run.id, person_id, reason: needleAt('returned') })
  const block = await hr.api.payment_blocks.add({
    person_id,
    claim_id: null,
    reason: needleAt('block'),
  })
  await hr.api.payment_blocks.remove({ id: block.id })
  await second.api.payouts.release(await make())
  const { version } = await hr.api.review.find({ id })
  await hr.api.review.reverse({ id, version, text: needleAt('reversed') })
  const settled = { how: 'written_off', reason: needleAt('settled') } as const
  await hr.api.payouts.settle_overpayment({ person_id, cents: 5000, ...settled })
  const proposal = { person_id, category: 'treatment', reason: needleAt('adjusted') } as const
  const adjustment = await hr.api.adjustments.propose({ ...proposal, cents: 5000 })
  await second.api.adjustments.confirm({ id: adjustment.id })
  await hr.api.adjustments.propose({ ...proposal, cents: 100 })
}

async function ofClaims({ acme, hr, person, scene }: Living) {
  const { id, version } = await acme.claim(person, {
    amount_cents: 70_000,
    provider: needleAt('at'),
    lines: [{ what: needleAt('line'), amount_cents: 70_000 }],
  })
  await hr.api.review.ask({ id, version, text: needleAt('question') })
  const answered = await person.api.claims.answer({
    id,
    text: needleAt('answer'),
    receipt_ids: [],
  })
  const decided = { id, version: answered.version, reason: 'not_covered' } as const
  await hr.api.review.reject({ ...decided, text: needleAt('rejected') })
  await scene.sql`insert into receipt_openings (company_id, receipt_id, person_id, opener_id,
      opener_name, opener_role, what, purpose)
    select company_id, id, person_id, ${hr.id}, 'HR', 'company_admin', 'file', ${needleAt('purpose')}
      from receipts where person_id = ${person.id} limit 1`
}

async function ofAccount({ acme, hr, person, scene: { sql } }: Living) {
  await sql`insert into auth.factors (user_id, factor_type, friendly_name)
    values (${person.id}, 'totp', ${needleAt('factor')})`
  await sql`insert into auth.devices (user_id, name, seen_at)
    values (${person.id}, ${needleAt('device')}, now()) on conflict do nothing`
  await sql`insert into preferences select ${person.id}, w.* from preferences_of(${person.id}) w on conflict do nothing`
  await sql`select post_mail(${person.email}, ${needleAt('mail')}, 'x', 'x', false)`
  await sql`insert into fund_alerts (company_id, plan_year, category, person_id, percent,
      balance_cents)
    values (${acme.id}, ${acme.plan_year}, 'treatment', ${person.id}, 20, 100)
    on conflict do nothing`
  await sql`insert into scim_people (company_id, person_id, user_name, full_name)
    values (${acme.id}, ${person.id}, ${needleAt('user name')}, ${needleAt('full name')})`
  const [file] = await sql<[{ id: string }]>`
    insert into imports (company_id, file_name) values (${acme.id}, 'people.csv') returning id`
  await sql`insert into import_rows (company_id, import_id, line, full_name, email, was)
    values (${acme.id}, ${file.id}, 1, ${needleAt('row')}, ${person.email},
      ${sql.json({ department: needleAt('was') })})`
  await sql`insert into absences (company_id, person_id, deputy_id, from_on, to_on)
    values (${acme.id}, ${person.id}, ${hr.id}, '2101-01-01', '2101-01-02')`
  await sql`insert into saved_views (company_id, person_id, page, name, filters)
    values (${acme.id}, ${person.id}, 'claims', ${needleAt('view')}, '{}'),
      (${acme.id}, ${hr.id}, 'claims', ${needleAt('view of theirs')},
        ${sql.json({ person: person.id, search: needleAt('search') })})`
}

async function ofCompany({ acme, hr, person, scene }: Living) {
  await giveRights(scene, acme.company, person, 'viewer')
  const group = await hr.api.groups.add({ name: 'Parents', departments: null })
  await hr.api.groups.put_person({ id: group.id, person_id: person.id })
  await scene.confirm(person)
  await person.api.privacy.request_erasure({ reason: needleAt('why erased') })
  const { erasures } = await hr.api.privacy.erasures({})
  await hr.api.privacy.refuse_erasure({ id: erasures[0]!.id, refusal: needleAt('refused') })
}
