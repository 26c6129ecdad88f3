// One of everything whose id an act takes: a person's things, and their company's.
import { randomUUID } from 'node:crypto'
import { daysAfter } from '#lib/days.ts'
import { fundedCompany, type FundedCompany } from './company.ts'
import { open } from './health-checks.ts'
import { keyOf } from './keys.ts'
import { another_iban, iban } from './payouts.ts'
import { callerOf, type Person } from './people.ts'
import type { Scene } from './scene.ts'

export type MadeKind =
  | 'absence'
  | 'adjustment'
  | 'account'
  | 'booking'
  | 'claim'
  | 'company'
  | 'contribution'
  | 'delivery'
  | 'dependent'
  | 'entry'
  | 'erasure'
  | 'export'
  | 'group'
  | 'import'
  | 'key'
  | 'inquiry'
  | 'limit'
  | 'notification'
  | 'payment_block'
  | 'person'
  | 'provider'
  | 'rebalance'
  | 'receipt'
  | 'report'
  | 'right'
  | 'run'
  | 'scim_group'
  | 'session'
  | 'slot'
  | 'type'
  | 'view'
  | 'webhook'

export type Belongings = {
  stage: FundedCompany
  person: Person
  admin: Person
  ids: Record<MadeKind, string | number>
}

/** Made in a company of its own, unless one is given. Everybody in it has the same name, to be found by. */
export async function belongingsOf(
  scene: Scene,
  name: string,
  company?: FundedCompany,
): Promise<Belongings> {
  const stage = company ?? (await fundedCompany(scene))
  const person = await stage.hire(name)
  await stage.scene.sql`update companies set name = ${name} || ' Ltd'
    where id = ${stage.id} and ${!company}`
  const admin = stage.company.admin
  const ids: Belongings['ids'] = {
    company: stage.id,
    person: person.id,
    session: callerOf(person).session_id,
    type: await stage.typeOf('prevention'),
    ...(await claimed(stage, person)),
    ...(await booked(stage, person)),
    ...(await ofTheCompany(scene, stage)),
    ...(await ofThePerson(scene, person, name)),
  }
  return { stage, person, admin, ids }
}

async function claimed(stage: FundedCompany, person: Person) {
  const { scene } = stage
  const { admin } = stage.company
  for (const who of [admin, person]) await scene.confirm(who)
  await admin.api.payouts.set_company_account({ holder: 'Company', iban: another_iban })
  await person.api.payouts.set_my_account({ holder: 'Somebody', iban })
  await stage.agreeing(person)
  const run = await admin.api.payouts.make({
    cut_off_on: stage.today,
    pay_on: daysAfter(stage.today, 3),
  })
  const receipt = await stage.receipt(person, { state: 'unreadable' })
  const claim = await stage.claim(person, { amount_cents: 5100, receipt_ids: [receipt] })
  const [account] = await stage.scene.sql<[{ id: number }]>`select id from accounts
    where company_id = ${stage.id} and person_id = ${person.id} order by id limit 1`
  const [block] = await stage.scene.sql<[{ id: string }]>`
    insert into payment_blocks (company_id, person_id, reason, placed_by, removed_by, removed_at)
      values (${stage.id}, ${person.id}, 'Until it is clear', ${admin.id}, ${admin.id}, now())
      returning id`
  const adjustment = await admin.api.adjustments.propose({
    person_id: person.id,
    category: 'prevention',
    cents: 100,
    reason: 'A rounding',
  })
  return {
    adjustment: adjustment.id,
    run: run.id,
    receipt,
    claim: claim.id,
    account: account.id,
    payment_block: block.id,
  }
}

async function booked(stage: FundedCompany, person: Person) {
  const day = daysAfter(stage.today, 9)
  const { provider_id: provider, ids } = await open(stage.company.admin, day, 2, 'UTC')
  const slot = ids[1]!
  const booking = await person.api.health_checks.book({ slot_id: slot })
  return { provider, slot, booking: booking.id }
}

async function ofTheCompany(scene: Scene, stage: FundedCompany) {
  const { sql } = scene
  const { admin } = stage.company
  const by_hand = await admin.api.groups.add({ name: `Group ${randomUUID()}`, departments: null })
  const limit = await admin.api.limits.add({
    kind: 'per_year',
    category: 'treatment',
    type_id: null,
    group_id: null,
    cents: 1e9,
  })
  const view = await admin.api.views.save({ page: 'claims', name: randomUUID(), filters: {} })
  const file = new Blob(['name,email\nNora,nora@elsewhere.test\n'])
  const read = await admin.api.imports.upload({ file_name: 'people.csv' }, { file })
  const key = await keyOf(scene, admin, ['people:read'])
  const { webhook } = await admin.api.webhooks.make({
    url: 'https://hooks.example.com/stranger',
    events: ['audit.entry'],
    in_order: true,
  })
  await admin.api.webhooks.test({ id: webhook.id })
  const [delivery] = await sql<[{ id: number }]>`select id from webhook_deliveries
    where webhook_id = ${webhook.id}`
  const [group] = await sql<[{ id: string }]>`insert into scim_groups (company_id, display_name)
    values (${stage.id}, ${randomUUID()}) returning id`
  const [[contribution], [entry], [report], [absence], [right], rebalance] = await Promise.all([
    sql<[{ id: number }]>`select id from transfers
      where company_id = ${stage.id} and event = 'contribution' limit 1`,
    sql<[{ id: number }]>`select id from audit_log where company_id = ${stage.id} limit 1`,
    sql<[{ id: string }]>`insert into reports (kind, from_on, to_on, title, of_company, status)
      values ('claims_activity', now(), now(), 'Report', ${stage.id}, 'ready') returning id`,
    sql<[{ id: string }]>`insert into absences (company_id, person_id, from_on, to_on)
      values (${stage.id}, ${admin.id}, '2101-01-01', '2101-01-02') returning id`,
    sql<[{ id: string }]>`select id from company_rights where company_id = ${stage.id} limit 1`,
    rebalanced(stage),
  ])
  return {
    group: by_hand.id,
    limit: limit.id,
    view: view.id,
    import: read.id,
    key: key.id,
    webhook: webhook.id,
    delivery: delivery.id,
    scim_group: group.id,
    contribution: contribution.id,
    entry: entry.id,
    report: report.id,
    absence: absence.id,
    right: right.id,
    rebalance,
  }
}

async function rebalanced({ company, plan_year }: FundedCompany) {
  const { funds } = company.admin.api
  const { categories } = await funds.overview({})
  const pools_now = Object.fromEntries(
    categories.map(({ category, free_cents }) => [`${category}_cents`, free_cents]),
  ) as { prevention_cents: number; treatment_cents: number; solidarity_cents: number }
  const targets = {
    ...pools_now,
    prevention_cents: pools_now.prevention_cents - 100,
    treatment_cents: pools_now.treatment_cents + 100,
  }
  const { id } = await funds.rebalance({
    plan_year,
    expected: pools_now,
    targets,
    note: 'More treatment',
  })
  return id
}

async function ofThePerson(scene: Scene, person: Person, full_name: string) {
  const { sql } = scene
  const dependent = await person.api.dependents.add({
    full_name: `${full_name} Junior`,
    relationship: 'child',
    born_on: '2019-05-05',
  })
  await scene.confirm(person)
  const { id: taken } = await person.api.privacy.request_export({})
  const { id: erasure } = await person.api.privacy.request_erasure({})
  const [[note], [inquiry]] = await Promise.all([
    sql<[{ id: number }]>`select id from notifications where person_id = ${person.id} limit 1`,
    sql<[{ id: string }]>`insert into inquiries (id, full_name, email, company, people, message)
      values (${randomUUID()}, ${full_name}, ${person.email}, 'Company', 10, 'Please call me.')
      returning id`,
  ])
  return {
    dependent: dependent.id,
    export: taken,
    erasure,
    notification: note.id,
    inquiry: inquiry.id,
  }
}
