// The repository tests itself: what SQL defines is defined once, reached, and refused in one place.
import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import { code_files } from '#code.server.ts'
import { statementsOf } from '#lib/sql-files.server.ts'
import { definedBy, files, needed_by_tables } from './sources.ts'
import { read, source_files, sql_files } from './sources.ts'

describe('the files of SQL', () => {
  test('each name is defined once: a table, an index, a function, a view, a trigger, a policy', () => {
    const places = new Map<string, string[]>()
    for (const file of sql_files) {
      for (const { text, line } of statementsOf(read(file))) {
        const name = definedBy(text)
        if (name) places.set(name, [...(places.get(name) ?? []), `${file}:${line}`])
      }
    }
    assert.ok(places.size > 600, `only ${places.size} definitions were found`)
    const twice = [...places].filter(([, where]) => where.length > 1)
    assert.deepEqual(twice, [])
  })

  test('a function stays under 70 lines, as in TypeScript, but for one that is a list', () => {
    const long = sql_files.flatMap((file) =>
      statementsOf(read(file))
        .filter(({ text }) => text.split('\n').length > 70)
        .map(({ text }) => definedBy(text) ?? '')
        .filter((name) => name.startsWith('function')),
    )
    assert.deepEqual(long, ['function private.event_plans'])
  })

  test('every function and view is reached: by the server, a policy, a trigger, a table or each other', () => {
    const { routines, policies, tables, statements } = routinesAndCalls()
    const reached = reachedFrom([...policies, ...tables, statements], routines, () => true)
    assert.ok(routines.length > 300, `only ${routines.length} routines were found`)
    assert.deepEqual(
      routines.filter((routine) => !reached.has(routine)).map(({ name }) => name),
      [],
    )
  })

  test('what a login may call is called: by the server, by a policy, or by what runs as the caller', () => {
    const { routines, policies, granted, by_login } = routinesAndCalls()
    const reached = reachedFrom(
      [...policies, by_login],
      routines,
      ({ kind, definer }) => kind === 'view' || !definer,
    )
    const called = new Set([...reached].map(({ name }) => `function ${name}`))
    const idle = [...granted].map((name) => `function ${name}`).filter((name) => !called.has(name))
    assert.deepEqual(
      idle.filter((name) => !needed_by_tables.has(name)),
      [],
    )
  })

  test('tables are made in db/, and what can be replaced in src/, listed in its order', () => {
    const replaceable = /^create (or replace )?(function|view|trigger|policy|aggregate)\b/
    const in_db = new Set<string>()
    for (const file of sql_files) {
      for (const { text, line } of statementsOf(read(file))) {
        const wrong = file.startsWith('db/')
          ? /^(grant|revoke execute)\b/.test(text)
          : /^(create (unlogged )?(table|index|type|domain)|alter|drop|insert|update|delete)\b/.test(
              text,
            )
        assert.ok(!wrong, `${file}:${line}: ${text.slice(0, 60)}`)
        if (file.startsWith('db/') && replaceable.test(text)) in_db.add(definedBy(text) ?? text)
      }
    }
    assert.deepEqual(in_db, needed_by_tables)
    assert.deepEqual(
      code_files.map((name) => `src/${name}`).toSorted(),
      files('src', /\.sql$/).toSorted(),
    )
    const numbers = sql_files.flatMap((file) => /^db\/(\d+)_/.exec(file)?.[1] ?? []).toSorted()
    assert.deepEqual(
      numbers,
      numbers.map((_, at) => String(at + 1).padStart(3, '0')),
    )
  })
})

describe('what is inserted', () => {
  test('names its columns: a table that is made again may have them in another order', () => {
    const unnamed = /\binsert into [\w.]+(?: as \w+)?\s+(?!\s|as\b|[($])/
    const product = source_files.filter((file) => !file.endsWith('.test.ts'))
    const made_again = sql_files.filter((file) => file.startsWith('src/'))
    assert.deepEqual(
      [...made_again, ...product].filter((file) => unnamed.test(read(file))),
      [],
    )
  })
})

describe('until when', () => {
  test('a claim can be filed is counted in one place: elsewhere nothing is added to the days of a plan', () => {
    const counts =
      /[-+]\s*(?:\w+\.)?\w*filing_days|filing_days\b(?:::\w+)?\s*[-+]|\w*After\([^)]*filing_days/
    const product = source_files.filter((file) => !file.endsWith('.test.ts'))
    const places = [...sql_files, ...product].filter((file) => counts.test(read(file)))
    assert.deepEqual(places, ['src/funds/plans/plan-years.sql'])
  })
})

describe('the policy in force', () => {
  test('is found in one place', () => {
    const looks = /order by (?:\w+\.)?version desc\s+limit 1\b/
    const product = source_files.filter((file) => !file.endsWith('.test.ts'))
    const places = [...sql_files, ...product].filter((file) => looks.test(read(file)))
    assert.deepEqual(places, ['src/claims/policies/in-force.sql'])
  })
})

describe('which accounts count as used', () => {
  test('is told by SQL, and once more where reports add up what it answers by kind', () => {
    const list = /[([](?:'funding', )?'payable',\s+'paid'(?:, 'held')?[)\]]/
    const product = source_files.filter(
      (file) => !file.endsWith('.test.ts') && file.startsWith('src/'),
    )
    const places = [...sql_files, ...product].filter((file) => list.test(read(file)))
    assert.deepEqual(places, ['src/funds/ledger/ledger.sql', 'src/reports/commitments.server.ts'])
  })
})

describe('whether a request asks, or the server itself', () => {
  test('is found in one place', () => {
    const places = sql_files.filter((file) => read(file).includes('session_user'))
    assert.deepEqual(places, ['src/permissions/actor.sql'])
  })
})

type Routine = { kind: string; name: string; text: string; definer: boolean }

/** Files whose statements run as the owner: jobs, commands, backups. */
const by_owner = /^src\/(?:commands|backups)\/|\bjobs\.server\.ts$/

/** All functions and views, what begins to call them, and which the logins may call. */
function routinesAndCalls() {
  const routines: Routine[] = []
  const policies: string[] = []
  const tables: string[] = []
  const granted = new Set<string>()
  for (const { text } of sql_files.flatMap((file) => statementsOf(read(file)))) {
    const plain = text.replaceAll(/--.*/g, '').replaceAll(/\s+/g, ' ')
    const [head, kind = '', name = ''] =
      /^create (?:or replace )?(function|view|aggregate) ([\w.]+)/.exec(plain) ?? []
    const [, names] = /^grant execute on function (.*) to /.exec(plain) ?? []
    for (const one of names?.split(', ') ?? []) granted.add(one.trim())
    if (head)
      routines.push({
        kind,
        name,
        text: plain.slice(head.length),
        definer: / security definer /.test(plain),
      })
    else if (plain.startsWith('create policy')) policies.push(plain)
    else if (plain.startsWith('create')) tables.push(plain)
  }
  const product = source_files.filter((file) => !file.endsWith('.test.ts'))
  const statementsOfFiles = (some: string[]) =>
    some.flatMap((file) => [...read(file).matchAll(/`[^`]*`/g)].map(([text]) => text)).join('\n')
  return {
    routines,
    policies,
    tables,
    granted,
    statements: statementsOfFiles(product),
    by_login: statementsOfFiles(product.filter((file) => !by_owner.test(file))),
  }
}

/** The routines called from there, and from what those call. */
function reachedFrom(texts: string[], routines: Routine[], through: (routine: Routine) => boolean) {
  const reached = new Set<Routine>()
  const follow = (text: string) => {
    for (const routine of routines) {
      if (reached.has(routine) || !calls(text, routine)) continue
      reached.add(routine)
      if (through(routine)) follow(routine.text)
    }
  }
  for (const text of texts) follow(text)
  return reached
}

const calls = (text: string, { kind, name }: Routine) =>
  new RegExp(
    String.raw`(?<![\w.])(?:public\.)?${name.replace('.', '\\.')}${kind === 'view' ? String.raw`\b` : String.raw` ?\(`}`,
  ).test(text)
