// The repository tests itself: a name that a form takes on one line is kept on one, whichever way it comes in; a state
// has one word.
import assert from 'node:assert/strict'
import { after, before, describe, test } from 'node:test'
import type { z } from 'zod'
import { contracts } from '#contracts.ts'
import type { Endpoint } from '#lib/contract.ts'
import type { Sql } from '#lib/db.server.ts'
import { Name, nameLine, oneLine } from '#lib/one-line.ts'
import { testSql } from './database.ts'
import { read, source_files, unlikeExceptions } from './sources.ts'

type Kept = 'as_one_line' | 'as_name_line'

/** The column of each such field. */
const columns: Record<string, string> = {
  'users.full_name': 'profiles.full_name',
  'companies.full_name': 'profiles.full_name',
  'companies.admin_name': 'profiles.full_name',
  'employees.full_name': 'profiles.full_name',
  'settings.full_name': 'profiles.full_name',
  'users.company_name': 'profiles.requested_company',
  'employees.department': 'profiles.department',
  'settings.department': 'profiles.department',
  'many.becomes.department': 'profiles.department',
  'sso.department_rules.department': 'profiles.department',
  'employees.personnel_number': 'profiles.personnel_number',
  'companies.name': 'companies.name',
  'dependents.full_name': 'dependents.full_name',
  'policies.name': 'claim_types.name',
  'groups.name': 'employee_groups.name',
  'claims.provider': 'claims.provider',
  'receipts.file_name': 'receipts.file_name',
  'imports.file_name': 'imports.file_name',
  'inquiries.full_name': 'inquiries.full_name',
  'inquiries.company': 'inquiries.company',
  'connections.name': 'api_keys.name',
  'scim.department': 'scim_groups.department',
  'health_checks.name': 'check_providers.name',
  'health_checks.offers': 'check_providers.offers',
  'health_checks.place': 'check_providers.place',
  'views.name': 'saved_views.name',
}

const kept_otherwise = [
  'claims.lines.what', // in a list within its claim
  // The note of a transfer: a trigger would run for each transfer of a grant, and other notes are texts.
  'companies.contribution_reference',
  'funds.reference',
]

describe('names', () => {
  let sql: Sql
  let drop: () => Promise<void>
  before(async () => {
    ;({ sql, drop } = await testSql())
  })
  after(() => drop())

  test('each field that is one line has a column that is kept as one', async () => {
    const triggers = await sql<{ name: Kept; columns: string[] }[]>`
      select t.tgname as name, to_json(array(select t.tgrelid::regclass || '.' || a.attname
        from pg_attribute a where a.attrelid = t.tgrelid and a.attnum = any (t.tgattr))) as columns
      from pg_trigger t where t.tgname in ('as_one_line', 'as_name_line')`
    const kept = new Map(triggers.flatMap((one) => one.columns.map((name) => [name, one.name])))
    const fields = linesOf(contracts)
    assert.ok(fields.size > 25, `only ${fields.size} fields were found`)
    const wrong = [...fields].filter(([field, how]) => kept.get(columns[field] ?? '') !== how)
    const names = wrong.map(([field]) => field)
    assert.deepEqual(unlikeExceptions(names, kept_otherwise), [])
    const unused = Object.keys(columns).filter((field) => !fields.has(field))
    assert.deepEqual(unused, [])
  })

  test('the database takes names as long as forms do', async () => {
    const bounds = await sql<{ name: string; least: number | null; most: number | null }[]>`
      select t.tgrelid::regclass || '.' || a.attname as name,
        substring(pg_get_constraintdef(c.oid) from '>= ([0-9]+)')::int as least,
        substring(pg_get_constraintdef(c.oid) from '<= ([0-9]+)')::int as most
      from pg_trigger t join pg_attribute a on a.attrelid = t.tgrelid and a.attnum = any (t.tgattr)
        left join pg_constraint c on c.conrelid = t.tgrelid and c.conkey = array[a.attnum]
          and c.contype = 'c'
      where t.tgname = 'as_name_line'`
    assert.deepEqual(
      bounds.map(({ name, most }) => [name, most]),
      bounds.map(({ name }) => [name, Name.maxLength]),
    )
    // An address of one letter names whoever signs up with no name; a company not named is asked about.
    const shorter = bounds.filter(({ least }) => least !== Name.minLength)
    assert.deepEqual(shorter.map(({ name }) => name).toSorted(), [
      'profiles.full_name',
      'profiles.requested_company',
    ])
  })
})

/** Zod's own name for what looks into shapes. */
const partsOf = ({ ['_zod']: { def } }: { _zod: { def: object } }) => def

/** The fields of each question that its line overwrites, by feature and path. */
function linesOf(features: Record<string, object>): Map<string, Kept> {
  const found = new Map<string, Kept>()
  const look = (shape: z.core.$ZodType, path: string) => {
    const { checks = [], ...def } = partsOf(shape) as z.core.$ZodTypeDef & Record<string, unknown>
    for (const check of checks) {
      const { tx } = partsOf(check) as { tx?: unknown }
      if (tx === oneLine) found.set(path, 'as_one_line')
      if (tx === nameLine) found.set(path, 'as_name_line')
    }
    for (const [name, part] of Object.entries(def['shape'] ?? {}))
      look(part as z.core.$ZodType, `${path}.${name}`)
    for (const part of ['innerType', 'in', 'out', 'element', 'options'].flatMap(
      (name) => (def[name] ?? []) as z.core.$ZodType | z.core.$ZodType[],
    ))
      look(part, path)
  }
  for (const [feature, contract] of Object.entries(features))
    for (const { input } of Object.values(contract as Record<string, Endpoint>))
      look(input, feature)
  return found
}

test('the words of a state stand once, in the contract of its feature', () => {
  const worded = /\b(?:pending|suspended): \[?'(?:Pending|Invited|Suspended)'/
  const elsewhere = source_files.filter(
    (file) => !/\.test\.ts$|\/words\.contract\.ts$/.test(file) && worded.test(read(file)),
  )
  // That one has the outcome of the money as well, as one list.
  assert.deepEqual(elsewhere, ['src/reports/claim-statuses.server.ts'])
})
