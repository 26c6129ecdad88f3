// Nothing that is kept about a person is forgotten: each table that names people is told about, or left out for a reason.
import assert from 'node:assert/strict'
import { readFileSync } from 'node:fs'
import { test } from 'node:test'
import { retention_rules, spanOfDays, withSpans, type RetentionRule } from '#lib/retention.ts'
import { livedLife } from '../../test/world/life.ts'
import { openedScene } from '../../test/world/scene.ts'
import { unlikeExceptions } from '../../test/sources.ts'
import { about_a_person, left_out } from './about-a-person.ts'

const scene = openedScene()

const documented = new Set(about_a_person.flatMap(({ tables }) => tables))

test('every table that names people is in the list of what there is about them, or explained', async () => {
  const naming = await scene.sql<{ name: string }[]>`
    select distinct case when n.nspname = 'public' then c.relname
        else n.nspname || '.' || c.relname end as name
    from pg_class c join pg_namespace n on n.oid = c.relnamespace
    where c.relkind in ('r', 'p') and n.nspname in ('public', 'auth', 'private') and (
      exists (select from pg_attribute a where a.attrelid = c.oid and not a.attisdropped
        and a.attname in ('person_id', 'user_id', 'actor_id', 'opener_id', 'email', 'full_name',
          'phone', 'recipient', 'address', 'iban'))
      or exists (select from pg_constraint f where f.conrelid = c.oid and f.contype = 'f'
        and f.confrelid in ('public.profiles'::regclass, 'auth.users'::regclass,
          'auth.sessions'::regclass)))`
  const forgotten = naming.map(({ name }) => name).filter((name) => !documented.has(name))
  assert.deepEqual(unlikeExceptions(forgotten, Object.keys(left_out)), [])
})

test('the list names tables that are there, and keys are told once', async () => {
  for (const { name, tables } of about_a_person) {
    for (const table of tables) {
      const [there] = await scene.sql`select to_regclass(${table}) is not null as yes`
      assert.equal(there?.['yes'], true, `${name}: ${table}`)
    }
  }
  const names = about_a_person.map(({ name }) => name)
  assert.equal(new Set(names).size, names.length)
})

test('of somebody who lived here each list has something, and of nobody none has', async () => {
  const nobody = '00000000-0000-4000-8000-000000000000'
  const { person } = await livedLife(scene)
  const found = async (id: string) => {
    const lists: string[] = []
    for (const { name, query } of about_a_person) {
      if ((await scene.sql.unsafe(query, [id])).length > 0) lists.push(name)
    }
    return lists
  }
  assert.deepEqual(
    await found(person.id),
    about_a_person.map(({ name }) => name),
  )
  assert.deepEqual(await found(nobody), [])
})

/** A period that is a setting, with its name. */
const byDefault = (rule: RetentionRule) =>
  `${spanOfDays(retention_rules[rule].days)} (\`${retention_rules[rule].setting}\`)`

test('docs/privacy.md tells the same', () => {
  const text = readFileSync(new URL('../../docs/privacy.md', import.meta.url), 'utf8')
  const missing = about_a_person
    .map(
      ({ title, why, kept, erased }) =>
        `| ${title} | ${why} | ${withSpans(kept, byDefault)} | ${erased} |`,
    )
    .filter((line) => !text.includes(line))
  assert.deepEqual(missing, [], 'these lines belong into its table')
  const unexplained = Object.entries(left_out)
    .map(([table, reason]) => `- \`${table}\`: ${withSpans(reason, byDefault)}`)
    .filter((line) => !text.includes(line))
  assert.deepEqual(unexplained, [], 'these lines belong under it')
})
