// Straight SQL of a key whose maker has everything: what answers it or acts for it, of all that people may ask for.
import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import { hashOfKey } from '#connections/caller.server.ts'
import type { Right } from '#connections/connections.contract.ts'
import type { Tx } from '#lib/db.server.ts'
import { acts_of_rights } from '#permissions/key-rights.ts'
import { CompanyRight } from '#users/rights.contract.ts'
import { keyOf } from './world/keys.ts'
import { belongingsOf, type Belongings } from './world/one-of-each.ts'
import { giveRights } from './world/rights.ts'
import { openScene } from './world/scene.ts'
import { moreOfEach } from './world/more-of-each.ts'

const scene = await openScene()
after(() => scene.close())

let own: Belongings
let keys: Record<string, Buffer>
before(async () => {
  own = await belongingsOf(scene, 'Ana')
  const { stage, ids, person: ana, admin } = own
  const second = await stage.admin('Second')
  // Ana was paid for a claim that was reversed afterwards, and is to be paid for another.
  await scene.confirm(second)
  const run = await second.api.payouts.find({ id: Number(ids.run) })
  await second.api.payouts.release({ id: run.id, version: run.version })
  const [paid] = await scene.sql<[{ id: number; version: number }]>`
    select id, version from claims where company_id = ${stage.id} and payment = 'paid'`
  await admin.api.review.reverse({ ...paid, text: 'It was forged' })
  await stage.agreeing(ana)
  await moreOfEach(scene, own, second)
  await scene.sql`insert into employee_group_people (company_id, group_id, person_id)
    values (${stage.id}, ${ids.group}, ${ana.id})`
  await scene.sql`insert into scim_people (company_id, person_id, user_name)
    values (${stage.id}, ${ana.id}, 'ana')`
  await scene.sql`insert into person_notes (company_id, person_id, text, written_by)
    values (${stage.id}, ${ana.id}, 'Back in May', ${admin.id})`
  // She works for the company by every right beside being one of its employees, and makes its keys.
  await giveRights(scene, stage.company, ana, ...CompanyRight.options)
  await scene.confirm(ana)
  const made = Object.keys(acts_of_rights).map(async (right) => {
    const { secret } = await keyOf(scene, ana, [right as Right])
    return [right, hashOfKey(secret)]
  })
  keys = Object.fromEntries(await Promise.all(made))
})

/** Nothing of what is done stays. */
async function within(right: string, work: (tx: Tx) => Promise<void>) {
  const key = keys[right]!
  const caller = { user_id: '', session_id: right, address: '', request_id: '', key }
  const undone = scene.services.by_key.run(
    caller,
    async (tx) => {
      await tx`select act_with(${right})`
      await work(tx)
      throw new Error('undone')
    },
    { reads: right.endsWith(':read') },
  )
  await assert.rejects(undone, { message: 'undone' })
}

type Argument = { name: string; type: string; spread: boolean }
type Granted = { name: string; acts: boolean; arguments: Argument[] }

const granted = () => scene.sql<Granted[]>`
  select p.proname as name, p.prorettype = 'void'::regtype as acts, coalesce((select json_agg(json_build_object(
        'name', p.proargnames[a.at], 'type', a.type::regtype,
        'spread', p.provariadic <> 0 and a.at = p.pronargs) order by a.at)
      from unnest(p.proargtypes::oid[]) with ordinality a (type, at)), '[]') as arguments
    from pg_proc p where p.pronamespace = 'public'::regnamespace
      and not exists (select from pg_depend d where d.objid = p.oid and d.deptype = 'e')
      and (has_function_privilege('healthfund_request', p.oid, 'execute')
        or has_function_privilege('healthfund_key', p.oid, 'execute')) order by p.proname`

/** Something of Ana's or of her company's wherever a name says what it is of. */
function valueOf({ name, type }: Argument, function_name: string): string {
  const { ids, stage, person } = own
  const list = (one: string | number) => `array['${one}']::${type}`
  const known: Record<string, string | number> = {
    ...ids,
    me: person.id,
    account: person.id,
    year: stage.plan_year,
    group_id: ids.group,
    source: ids.adjustment,
    ...(type === 'text' && { act: 'approve', kind: 'people', what: 'picture', of_table: 'claims' }),
    of_row: ids.claim,
    after_id: 0,
    ...(function_name.startsWith('scim_') && { target: ids.scim_group }),
    ...(function_name === 'add_person' && { person: newcomer(stage.id) }),
  }
  const of_types: Record<string, string> = {
    'uuid[]': list(person.id),
    'bigint[]': list(ids.claim),
    'integer[]': list(1),
    'text[]': `array['ana']::text[]`,
    'date[]': `array[current_date]`,
    'claim_step[]': 'null::claim_step[]',
    boolean: 'false',
    integer: '10',
    bigint: '10',
    numeric: '10',
    date: 'current_date',
    json: `'[]'::json`,
    jsonb: `'{}'::jsonb`,
    uuid: `'${person.id}'::uuid`,
    bytea: `'x'::bytea`,
    text: `'ana'::text`,
    interval: `interval '1 day'`,
    'timestamp with time zone': 'now()',
    'timestamp without time zone': 'now()::timestamp',
    'double precision': '1',
  }
  const usual = of_types[type]
  if (name === 'password_hash' || name === 'only_status') return 'null'
  if (!usual) return `(select x from ${type} x limit 1)` // a row of a table
  const value = known[name]
  return value === undefined || type.endsWith('[]') || (type === 'jsonb' && name !== 'person')
    ? usual
    : `'${value}'::${type}`
}

const newcomer = (company_id: string) =>
  JSON.stringify({ role: 'employee', company_id, email: 'eve@eve.test', full_name: 'Eve' })

const empty_answers = new Set(['null', 'false', '[]', '0', '""', '"forbidden"'])
const told_nothing = new Set(['forbidden', 'not_found', 'password_needed'])
/** Codes for: not granted; written with a right that reads; somebody else's session or key. */
const stopped = new Set(['42501', '25006', 'HF401'])
/** The question itself was wrong. */
const misspelt = ['42601', '42883', '42P01', '42804', '42846', '22P02']

/** Whether it answers, or gets past who may ask. */
async function answers(tx: Tx, { name, acts, arguments: args }: Granted): Promise<boolean> {
  await tx`savepoint before`
  try {
    const values = args.map((one) => (one.spread ? 'variadic ' : '') + valueOf(one, name))
    const call = `${name}(${values.join(', ')})`
    const rows = await tx.unsafe<{ answer: unknown }[]>(
      `select to_json(a) as answer from ${call} a`,
    )
    return acts || rows.some(({ answer }) => !empty_answers.has(JSON.stringify(answer)))
  } catch (error) {
    const { code = '', message } = error as { code?: string; message: string }
    assert.ok(!misspelt.includes(code), `${name}: ${message}`)
    return !stopped.has(code) && !told_nothing.has(message)
  } finally {
    await tx`rollback to before`
  }
}

/** The transaction's own actor, and what says nothing of anybody. */
const of_all = [
  'actor',
  'actor_company',
  'actor_for_company',
  'actor_id',
  'actor_role',
  'admin_rights',
  'company_today',
  'current_plan_year',
  'details_refusals',
  'people_list_of', // how files of people are read where nothing was set
  'percent_of',
  'person_refusal',
  'person_refusals',
  'publish',
  'scim_dry_run',
  'settling_time',
  'used_kinds',
  'without_accents',
]
const of_people = [
  'about_employee',
  'actor_sees_people',
  'find_people',
  'group_in_use',
  'group_refusals',
  'key_name',
  'people_in_group',
]

const words = (text: string) => text.split(/\s+/)

const expected: Record<Right, string[]> = {
  'people:read': [...of_all, ...of_people],
  'people:write': [
    ...of_all,
    ...of_people,
    ...words(
      'add_person edit_employment invite_again number_person reactivate_person suspend_person',
    ),
    ...words('check_import discard_import open_import stage_rows start_import undo_import'),
  ],
  'people:provision': [
    ...of_all,
    ...words(
      'scim_domains scim_people_named scim_deleted_person scim_add_person scim_name_person scim_lock',
    ),
    ...words('scim_move_address scim_leave scim_come_back scim_forget_person scim_add_group'),
    ...words('scim_lock_group scim_change_group scim_move_members scim_remove_group'),
  ],
  'funds:read': of_all,
  'claims:read': [...of_all, 'plain_claims'],
}

test('a key is answered what its acts ask, whatever its maker has', async () => {
  const functions = await granted()
  assert.ok(functions.length > 250)
  for (const [right, names] of Object.entries(expected)) {
    const found = new Set<string>()
    await within(right, async (tx) => {
      for (const one of functions) if (await answers(tx, one)) found.add(one.name)
    })
    assert.deepEqual([...found].toSorted(), names.toSorted(), right)
  }
})
