// The cost of a payout does not grow with the number of accounts: only those of its own people are read.
import assert from 'node:assert/strict'
import { before, test } from 'node:test'
import { payee, setAccountWait, payingCompany } from '../../test/world/payouts.ts'
import type { Person } from '../../test/world/people.ts'
import { openedScene } from '../../test/world/scene.ts'
import { rowsReadBy } from '../../test/rows-read.ts'

const scene = openedScene()
let stage: Awaited<ReturnType<typeof payingCompany>>
let people: Person[]
let waits: Person
let other: Person
const many = 10_000
before(async () => {
  stage = await payingCompany(scene)
  const { acme } = stage
  people = [await payee(acme), await payee(acme), await acme.hire()]
  waits = await payee(acme)
  other = await acme.hire()
  await scene.sql`select count(*) from private.add_people(${acme.id}, 'employee', array(
    select row('person' || i || '@acme.example', 'Iva Horvat ' || i, null, 'Sales')::private.newcomer
    from generate_series(1, ${many}) i), null)`
  await scene.sql`alter table bank_accounts disable trigger user`
  await scene.sql`
    with numbered as (select company_id, id,
        lpad((row_number() over ())::text, 18, '0') as bban
      from profiles p where company_id = ${acme.id} and role = 'employee'
        and full_name like 'Iva Horvat %')
    insert into bank_accounts (company_id, person_id, holder, iban, changed_at)
    select company_id, id, 'Iva Horvat',
      'DE' || lpad((98 - mod((bban || '131400')::numeric, 97))::text, 2, '0') || bban,
      now() - interval '200 days'
    from numbered`
  await scene.sql`alter table bank_accounts enable trigger user`
  await scene.sql`vacuum analyze`
})

const costs = (...acts: (() => Promise<unknown>)[]) => rowsReadBy(scene, ['bank_accounts'], acts)

test('a payout looks at the accounts of its people, and a released one at none', async () => {
  const { acme, hr, second, make } = stage
  const { runs, find, items } = hr.api.payouts
  for (const person of people) await acme.agreeing(person)
  const { id, version, accounts_to_check } = await make()
  assert.equal(accounts_to_check, 2, 'new, and the account of others, too')
  const open = await costs(
    () => runs({}),
    () => find({ id }),
    () => items({ id, show: 'to_check' }),
  )
  assert.ok(open < 100, `${open} accounts for a payout of three people`)
  await second.api.payouts.release({ id, version })
  assert.equal(
    await costs(
      () => runs({}),
      () => find({ id }),
    ),
    0,
  )
})

test('whose account waits is found among those that were changed lately', async () => {
  const { acme, hr, make } = stage
  await setAccountWait(hr, 3)
  for (const person of [waits, other]) await acme.agreeing(person)
  const run = await make()
  assert.equal(run.people, 1)
  const rows = await costs(
    () => waits.api.payouts.my_account({}),
    () => hr.api.payouts.preview({}),
    () => hr.api.payouts.find({ id: run.id }),
  )
  assert.ok(rows < 200, `${rows} accounts`)
})

test('a payout of a large company may take longer than a page', async () => {
  const { acme, make, hr, second } = stage
  await scene.sql`create table patience (act text, most interval)`
  await scene.sql`grant insert on patience to public`
  await scene.sql`create function note_patience() returns trigger language plpgsql as $$
    begin
      insert into public.patience values (new.status, current_setting('statement_timeout')::interval);
      return new;
    end $$`
  await scene.sql`create trigger patience after insert or update of status on pay_runs
    for each row execute function note_patience()`
  const releaseOrCancel = async (act: 'release' | 'cancel') => {
    await acme.agreeing(await acme.hire())
    const { id, version } = await make()
    await (act === 'release' ? second : hr).api.payouts[act]({ id, version })
  }
  await releaseOrCancel('release')
  await releaseOrCancel('cancel')
  const rows = await scene.sql<{ act: string }[]>`
    select distinct act from patience where most > interval '1 minute' order by act`
  assert.deepEqual(
    rows.map(({ act }) => act),
    ['cancelled', 'made', 'released'],
  )
})
