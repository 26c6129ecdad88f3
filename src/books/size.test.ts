// A month of a large company: as many postings as a Buchungsstapel takes, before the request's time is over.
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { accounts, datev, readExtf } from '../../test/book-files.ts'
import { payee, payingCompany } from '../../test/world/payouts.ts'
import { refuses } from '../../test/world/people.ts'
import { openedScene } from '../../test/world/scene.ts'

const scene = openedScene()

test('a month has 99,999 postings in all; with one more it is refused', async () => {
  const { acme, hr, second, make } = await payingCompany(scene)
  await acme.agreeing(await payee(acme), { amount_cents: 4000 })
  await second.api.payouts.release(await make())
  await hr.api.books.change_codes({ ...accounts, ...datev })
  const more = (claims: number, events: string[]) => scene.sql`
    insert into transfers (company_id, plan_year, from_account, to_account, amount_cents,
        from_balance_cents, to_balance_cents, event, cause, claim_id, person_id, occurred_on, posted_at)
      select t.company_id, t.plan_year, t.from_account, t.to_account, t.amount_cents, 0, 0, t.event,
          concat_ws(' ', t.event, claims, n), 100000 + claims * 10 + n, t.person_id, t.occurred_on, t.posted_at
        from transfers t cross join (select ${claims}::int as claims) c
        cross join generate_series(1, ${claims}::int) n
        where t.company_id = ${acme.id} and t.event = any (${events})
          and t.claim_id < 100000`
  await more(49_998, ['claim_approved', 'claim_paid'])
  const sums = await hr.api.books.sums({})
  assert.deepEqual([sums.postings, sums.refusals.journal], [99_999, null])
  const { postings } = await readExtf(await hr.api.books.journal({ format: 'datev' }))
  assert.equal(postings.length, 99_999)
  await more(1, ['claim_paid'])
  assert.equal((await hr.api.books.sums({})).refusals.journal, 'too_many_postings')
  await refuses('too_many_postings', hr.api.books.journal({}))
})
