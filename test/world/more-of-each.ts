// More than one-of-each.ts has, so that each function has something to tell: written straight, by the owner.
import type { Belongings } from './one-of-each.ts'
import type { Person } from './people.ts'
import type { Scene } from './scene.ts'

export type AnswerFacts = { newcomer: string; slot: { provider_id: string; day: string } }

/** `lately`: an admin of the company, who is given a further right today. */
export async function moreOfEach(
  { sql }: Scene,
  { ids, stage, person, admin }: Belongings,
  lately: Person,
): Promise<AnswerFacts> {
  const { id: acme } = stage
  await sql`update claims set payment = 'unpaid' where company_id = ${acme} and payment is not null`
  await sql`update claim_policies set account_wait_days = 5 where company_id = ${acme}`
  await sql`update plan_years set by_month = true where company_id = ${acme}`
  await sql`update receipts set restricted = true where id = ${ids.receipt}`
  await sql`insert into receipts (company_id, person_id, file_name, media_type, size_bytes, sha256, pages, width,
      height, storage_key, file_key, wrapped_key, parts)
    select company_id, person_id, file_name, media_type, size_bytes, sha256, pages, width, height, storage_key,
      file_key, wrapped_key, parts from receipts where id = ${ids.receipt}`
  await sql`insert into import_rows (company_id, import_id, line, finding, person_id)
    values (${acme}, ${ids.import}, 9, 'missing', ${person.id})`
  await sql`insert into scim_settings (company_id, dry_run) values (${acme}, true)`
  await sql`insert into company_rights (company_id, person_id, kind, given_by, confirmed_at)
    values (${acme}, ${lately.id}, 'receipts', ${admin.id}, now())`
  return { newcomer: await newcomer(sql, stage), slot: await bookedSlot(sql, acme, person) }
}

/** A newcomer with an account of their own elsewhere, a second step, and an address that only the company vouches for. */
async function newcomer(sql: Scene['sql'], { id, company }: Belongings['stage']) {
  const { id: person } = await company.hire('Newcomer')
  await sql`update auth.users set placement = null, two_step = true, last_sign_in_at = null, email = 'new@elsewhere.test'
    where id = ${person}`
  await sql`update auth.identities set identity_data = identity_data - 'email_verified' where user_id = ${person}`
  await sql`insert into identity_providers (company_id, kind, issuer, client_id, sealed, ending)
    values (${id}, 'oidc', 'https://id.example.com', 'client', 'x', 'last')`
  return person
}

/** A booked slot of the platform's provider. */
async function bookedSlot(sql: Scene['sql'], acme: string, person: Person) {
  const [slot] = await sql<[AnswerFacts['slot']]>`
    with checks as (insert into check_providers (name, offers, place, time_zone)
        values ('Doctors', 'Check-up', 'First street', 'UTC') returning id),
      slot as (insert into check_slots (provider_id, starts_at, minutes, day, capacity, taken)
        select id, '2100-01-01 10:00Z', 20, '2100-01-01', 1, 1 from checks returning *),
      booking as (insert into check_bookings (company_id, person_id, slot_id, day, starts_at, code)
        select ${acme}, ${person.id}, id, day, starts_at, 'CODE' from slot)
    select provider_id, day::text from slot`
  return slot
}
