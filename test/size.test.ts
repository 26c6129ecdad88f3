// The world that `npm run bench -- size` measures, small: what it says is true, and people can go on in it.
import assert from 'node:assert/strict'
import { before, describe, it } from 'node:test'
import { verifyAudits } from '#audit/verify.server.ts'
import { verifyAll } from '#funds/ledger/verify.server.ts'
import { fileKeys } from '#lib/file-keys.server.ts'
import { load } from '../bench/size/load.ts'
import { wrongCounts } from '../bench/size/proof.ts'
import { superuserUrl } from './database.ts'
import { openedScene } from './world/scene.ts'

describe(
  'a world made at once',
  { skip: process.env.DATABASE_URL && 'it needs a superuser' },
  () => {
    const scene = openedScene()
    before(async () => {
      await fileKeys(scene.sql, scene.services.installation_key).newest()
      await load(superuserUrl(scene.database_url), 300, () => {})
    })

    const isTrue = async () => {
      const { good, sentence } = await verifyAll(scene.sql)
      assert.ok(good, sentence)
      const record = await verifyAudits(scene.sql)
      assert.ok(record.good, record.sentence)
      for (const { id } of await scene.sql<{ id: string }[]>`select id from companies`)
        assert.deepEqual(await wrongCounts(scene.sql, id), [])
    }

    /** Nobody there has a password: they get that of somebody who has one. */
    const enter = async (email: string) => {
      await scene.sql`update auth.users u set password_hash = k.password_hash, password_rules = k.password_rules
      from auth.users k where u.email = ${email} and k.email = 'key@elsewhere.test'`
      return scene.signIn(email)
    }

    it('has people, claims in each state and money that moved, and every chain and count holds', async () => {
      const [made] =
        await scene.sql`select count(*) filter (where status = 'pending') > 0 as pending,
      count(*) filter (where payment = 'paid') > 500 as paid, count(*) > 1000 as many from claims`
      assert.deepEqual(made, { pending: true, paid: true, many: true })
      await isTrue()
    })

    it('leaves no trigger, index or check of the product off', async () => {
      const off = await scene.sql`
      select indexrelid::regclass::text from pg_index where not (indisready and indisvalid)
      union all select tgname from pg_trigger where tgenabled <> 'O'
      union all select nspname from pg_namespace where nspname = 'size'`
      assert.deepEqual([...off], [])
    })

    it('is one in which a claim is submitted by its people, seen by their admin and approved', async () => {
      await scene.signUp('key@elsewhere.test', 'employee')
      const [{ email }] = await scene.sql<[{ email: string }]>`select email from profiles
      where role = 'employee' and status = 'active' and email like '%@c1.size.test' order by email limit 1`
      const [maker, person] = [await enter('maker@c1.size.test'), await enter(email)]
      const [type] = await scene.sql<
        [{ id: string }]
      >`select t.id from claim_types t join profiles p using (company_id)
      where p.id = ${person.id} and t.category = 'treatment' limit 1`
      const claim = await person.api.claims.submit({
        category: 'treatment',
        type_id: type.id,
        provider: 'Harbour Clinic',
        service_on: new Date().toISOString().slice(0, 10),
        bill_cents: 120,
        amount_cents: 120,
        receipt_ids: [],
      })
      const waiting = await maker.api.review.queue({ status: 'pending', sort: 'newest' })
      assert.equal(waiting.claims[0]?.id, claim.id)
      await maker.api.review.approve({ id: claim.id, version: claim.version })
      assert.equal((await person.api.claims.find({ id: claim.id })).status, 'approved')
      await isTrue()
    })
  },
)
