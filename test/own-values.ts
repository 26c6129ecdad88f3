// Input for each act in a company where everything is there: with it the act is done, unless a rule says no.
import { plain_step } from '#claims/policies/steps.contract.ts'
import { itemNames } from '#books/words.contract.ts'
import { daysAfter, monthsAfter } from '#lib/days.ts'
import type { Belongings } from './world/one-of-each.ts'
import { another_iban, iban } from './world/payouts.ts'
import type { Person } from './world/people.ts'

/** The input, by act, that a sample of its shape would not have. */
export type Filled = Record<string, Record<string, unknown>>

/** A new company’s, of what is not there yet, and what the company is asked about as a whole. */
function plainValues({ stage, admin }: Belongings): Filled {
  const email = 'right@sample.test'
  const days = { from_on: stage.today, to_on: stage.today }
  const month = stage.today.slice(0, 7)
  const place = { time_zone: 'UTC' }
  const steps = [{ ...plain_step, who: 'people', person_ids: [admin.id] }]
  const hook = { url: 'https://hooks.example.com/', events: ['audit.entry'] }
  const limit = { kind: 'per_year', cents: 1000, version: 1 }
  return {
    'users.add': { email },
    'companies.add': { ...place, currency: 'EUR', admin_email: 'admin@another.test' },
    'companies.invite_admin': { email: `third@${stage.company.domain}` },
    'employees.add': { email: `new@${stage.company.domain}` },
    'inquiries.send': { email },
    'dependents.add': { relationship: 'child', born_on: '2020-02-02' },
    'absences.add': days,
    'absences.enter': { ...days, person_id: admin.id },
    'policies.preview': { steps },
    'policies.change': { steps },
    'limits.add': limit,
    'limits.change': limit,
    'payouts.make': { cut_off_on: stage.today, pay_on: daysAfter(stage.today, 3) },
    'payouts.set_company_account': { iban: another_iban },
    'payouts.set_my_account': { iban },
    'reports.generate': { from: month, to: month },
    'settings.change_calendar': { country: 'DE', region: 'BE' },
    'connections.make_key': { ends_on: daysAfter(stage.today, 30) },
    'webhooks.make': hook,
    'webhooks.change': hook,
    'domains.request': { domain: 'other-name.test' },
    'funds.verify': { company_id: stage.id },
    'sources.save': { url: 'https://files.example.com/people.csv' },
    'sso.connect_oidc': { issuer: 'https://login.example.com', client_secret: 'a secret' },
    'health_checks.add_provider': place,
    'imports.upload': { file_name: 'people.csv', full_list: 'false' },
  }
}

async function claimValues(
  { stage, person, admin, ids }: Belongings,
  second: Person,
): Promise<Filled> {
  await stage.agreeing(person, { amount_cents: 3100 })
  const made = await admin.api.payouts.make({ cut_off_on: stage.today, pay_on: stage.today })
  await stage.scene.confirm(second)
  const { id: run } = await second.api.payouts.release(made)
  const { version } = await admin.api.review.find({ id: Number(ids.claim) })
  const question = { id: Number(ids.claim), version, text: 'Which clinic was it?' }
  const in_question = await admin.api.review.ask(question)
  const rejected = await stage.claim(person, { amount_cents: 2100 })
  await admin.api.review.reject({
    id: rejected.id,
    version: rejected.version,
    reason: 'not_covered',
    text: 'The plan does not cover it.',
  })
  const open = await stage.claim(person, { amount_cents: 2300 })
  const approved = await stage.agreeing(person, { amount_cents: 2700 })
  const receipt = await stage.receipt(person, { state: 'unreadable' })
  const waits = { id: open.id, version: open.version }
  return {
    'claims.submit': await stage.draft({ amount_cents: 7100, receipt_ids: [receipt] }),
    'claims.answer': { text: 'Here it is.' },
    'claims.appeal': { id: rejected.id, text: 'Please look again.' },
    'review.approve': waits,
    'review.reject': waits,
    'review.ask': waits,
    'review.withdraw_question': { version: in_question.version },
    'review.reverse': { id: approved.id, version: approved.version },
    'review.undo': { id: rejected.id },
    'receipts.remove': { id: receipt },
    'payment_blocks.add': { claim_id: approved.id },
    'payouts.return_item': { id: run },
    'payouts.bank_file': { id: run },
    'payouts.payroll_file': { id: run },
    'books.wages': { id: run },
  }
}

async function peopleValues({ stage, person, admin }: Belongings, second: Person): Promise<Filled> {
  const { sql } = stage.scene
  const { employees } = admin.api
  // A second address of somebody who is there already is for HR to let in.
  const asks = await stage.company.hire(`${person.email.split('@')[0]}+2`)
  const resting = await stage.hire('Rests')
  await sql`update profiles set status = 'suspended' where id = ${resting.id}`
  const [invited] = await sql<[{ id: string }]>`
    select person_id as id from private.add_people(${stage.id}, 'employee',
      array[row(${`invited@${stage.company.domain}`}::text, 'Ivo', null, null)::private.newcomer], null)`
  await sql`update profiles set invited_at = now() - interval '1 hour' where id = ${invited.id}`
  const invitation = await employees.find({ id: invited.id })
  const leaving = await stage.hire('Leaves')
  const { version } = await employees.find({ id: leaving.id })
  const leaves = await employees.leave({ id: leaving.id, version, left_on: stage.today })
  const version_now = { version: (await employees.find({ id: person.id })).version }
  const [note] = await employees.add_note({ id: person.id, text: 'Back in May' })
  const [right] = await sql<[{ id: string }]>`
    select id from company_rights where person_id = ${second.id} order by kind limit 1`
  const own_company = await stage.provider.api.companies.find({ id: stage.id })
  const waiting = await stage.scene.company({ name: 'Waiting', status: 'pending' })
  return {
    'users.approve': { id: asks.id },
    'users.decline': { id: asks.id },
    'users.reactivate': { id: resting.id },
    'users.resend': { id: invited.id },
    'users.remove': { id: invited.id },
    'companies.remove_admin': { id: second.id },
    'companies.change': { version: own_company.version, time_zone: 'UTC' },
    'companies.activate': { id: waiting.id },
    'rights.end': { id: right.id },
    'employees.set_manager': { manager_id: admin.id },
    'employees.edit': version_now,
    'employees.correct_address': {
      id: invited.id,
      version: invitation.version,
      email: `right@${stage.company.domain}`,
    },
    'employees.leave': { ...version_now, left_on: stage.today },
    'employees.stay': { id: leaving.id, version: leaves.version },
    'employees.reactivate': { id: resting.id },
    'employees.resend': { id: invited.id },
    'employees.remove': { id: invited.id },
    'employees.approve': { id: asks.id },
    'employees.decline': { id: asks.id },
    'employees.remove_note': { note_id: note!.id },
  }
}

async function familyValues({ stage, person, admin }: Belongings): Promise<Filled> {
  const { dependents } = person.api
  const child = { relationship: 'child', born_on: '2018-03-03' } as const
  const add = (full_name: string, covered_from?: string) =>
    dependents.add({ ...child, full_name, ...(covered_from && { covered_from }) })
  const to_come = await add('Comes later', daysAfter(stage.today, 20))
  const ends = await add('Is covered', stage.today)
  const ended = await add('Was covered', stage.today)
  await dependents.end({ id: ended.id, covered_to: stage.today })
  await admin.api.dependents.set_approval({ needed: true })
  const [in_question, approved] = [await add('Is asked for'), await add('Is approved')]
  await admin.api.dependents.approve({ id: approved.id, version: approved.version })
  const waits = { id: in_question.id, version: in_question.version }
  return {
    'dependents.change': { ...to_come },
    'dependents.end': { id: ends.id, covered_to: stage.today },
    'dependents.resume': { id: ended.id },
    'dependents.withdraw': { id: to_come.id },
    'dependents.approve': waits,
    'dependents.decline': waits,
    'dependents.undo': { id: approved.id },
  }
}

async function moneyValues({ stage, admin, ids }: Belongings): Promise<Filled> {
  const { plan_year } = stage
  const { funds } = admin.api
  const plan = await funds.plan({})
  const { id: contribution } = await stage.provider.api.funds.contribute({
    company_id: stage.id,
    amount_cents: 1000,
    confirmed: true,
    occurred_on: stage.today,
    reference: 'INV-2',
  })
  const { id: person_id } = await stage.hire('Blocked')
  const reason = 'Until it is clear'
  const block = await admin.api.payment_blocks.add({ person_id, claim_id: null, reason })
  const accounts = Object.keys(itemNames).filter((item) => !item.startsWith('datev'))
  await admin.api.books.change_codes(
    Object.fromEntries(accounts.map((item, nth) => [item, `${1200 + nth}`])),
  )
  const cents = { prevention_cents: 100, treatment_cents: 100, solidarity_cents: 100 }
  const { categories } = await funds.overview({})
  const pools_now = Object.fromEntries(
    categories.map((one) => [`${one.category}_cents`, one.free_cents]),
  )
  const targets = {
    ...pools_now,
    prevention_cents: pools_now['prevention_cents']! - 100,
    treatment_cents: pools_now['treatment_cents']! + 100,
  }
  const of_groups = {
    plan_year,
    version: 0,
    plans: [{ ...cents, group_id: ids.group, counts_from: plan_year }],
  }
  return {
    'funds.reverse_contribution': { id: contribution },
    'payment_blocks.remove': { id: block.id },
    'funds.add_year': { ...plan, starts_on: monthsAfter(plan_year, 12) },
    'funds.preview_plan': plan,
    'funds.change_plan': plan,
    'funds.allocate': { plan_year, ...cents },
    'funds.deallocate': { plan_year, ...cents },
    'funds.rebalance': { plan_year, expected: pools_now, targets },
    'group_plans.preview': of_groups,
    'group_plans.change': of_groups,
  }
}

async function checkValues({ stage, admin, ids }: Belongings): Promise<Filled> {
  const { health_checks } = admin.api
  const times = {
    from_time: '09:00',
    to_time: '10:00',
    minutes: 20,
    weekdays: [1, 2, 3, 4, 5, 6, 7],
  }
  const day = daysAfter(stage.today, 10)
  const slots = { from_on: day, to_on: day, ...times }
  const provider_id = String(ids.provider)
  await health_checks.add_slots({ ...slots, provider_id, capacity: 1 })
  const [free, closed] = await health_checks.slots({ provider_id, from_on: day, to_on: day })
  await health_checks.close_slot({ id: closed!.id })
  const other = await health_checks.add_provider({
    name: 'Closed clinic',
    offers: 'Health check',
    place: '2 Road',
    time_zone: 'UTC',
  })
  await health_checks.close_provider({ id: other.id })
  const later = daysAfter(stage.today, 11)
  return {
    'health_checks.add_slots': { ...slots, from_on: later, to_on: later },
    'health_checks.preview_slots': { ...slots, from_on: later, to_on: later },
    'health_checks.book': { slot_id: free!.id },
    'health_checks.move': { slot_id: free!.id },
    'health_checks.change_provider': { time_zone: 'UTC' },
    'health_checks.reopen_provider': { id: other.id },
    'health_checks.reopen_slot': { id: closed!.id },
    'health_checks.close_day': { day },
    'health_checks.day_list': { day },
  }
}

async function systemValues({ stage, admin, ids }: Belongings): Promise<Filled> {
  const { sql } = stage.scene
  const { domains, rights, sources, webhooks } = admin.api
  const domain = `name-of-${stage.company.domain}`
  await domains.request({ domain })
  await sources.save({
    url: 'https://files.example.com/people.csv',
    secret_kind: 'none',
    hour: 3,
    applies: 'ask',
  })
  await sql`update webhook_deliveries set status = 'delivered' where webhook_id = ${ids.webhook}`
  const [report] = await sql<[{ id: string }]>`
    insert into reports (kind, from_on, to_on, title, of_company, status)
      values ('claims_activity', now(), now(), 'Report', ${stage.id}, 'failed') returning id`
  const { webhook } = await webhooks.make({
    url: 'https://hooks.example.com/paused',
    events: ['audit.entry'],
    in_order: true,
  })
  await webhooks.pause({ id: webhook.id })
  await stage.scene.confirm(admin)
  const { id: person_id } = await stage.hire('Rises')
  const right = await rights.give({ person_id, kind: 'owner' })
  return {
    'webhooks.resume': { id: webhook.id },
    'rights.confirm': { ids: [right.id] },
    'domains.check': { domain },
    'domains.mail_code': { domain },
    'domains.confirm_code': { domain },
    'domains.remove': { domain },
    'reports.retry': { id: report.id },
  }
}

/** Plays the past that they need: claims that wait and were decided, people in each state. */
export async function valuesOf(own: Belongings): Promise<Filled> {
  const { stage } = own
  const second = await stage.admin('Second')
  const values = {
    ...plainValues(own),
    ...(await claimValues(own, second)),
    ...(await peopleValues(own, second)),
    ...(await familyValues(own)),
    ...(await checkValues(own)),
    ...(await systemValues(own)),
    ...(await moneyValues(own)),
  }
  // However long all of this takes, what was decided can still be undone.
  await stage.scene.sql`
    update private.decisions set until = until + interval '1 day' where company_id = ${stage.id}`
  return values
}
