// The repository tests itself: what may import what, how large things are, what every table has.
import assert from 'node:assert/strict'
import { readdirSync, readFileSync } from 'node:fs'
import { after, before, describe, test } from 'node:test'
import { apiList } from '#api-list.server.ts'
import { code_files } from '#code.server.ts'
import { contracts } from '#contracts.ts'
import { envExample } from '#lib/config.server.ts'
import { connect, type Sql } from '#lib/db.server.ts'
import { openapi } from '#lib/openapi.ts'
import { statementsOf } from '#lib/sql-files.server.ts'
import { words } from '#notifications/words.contract.ts'
import { callers } from '#policy.ts'
import { isProblemCode, problems } from '#problems.ts'
import { testDatabase } from './database.ts'
import { textsOfSql } from './words.ts'

const root = new URL('..', import.meta.url)
const read = (path: string) => readFileSync(new URL(path, root), 'utf8')
const files = (folder: string, ending: RegExp) =>
  readdirSync(new URL(folder, root), { recursive: true, encoding: 'utf8' })
    .filter((name) => ending.test(name))
    .map((name) => `${folder}/${name}`)
const sources = files('src', /\.tsx?$/)
const sql_files = [...files('db', /\.sql$/), ...files('src', /\.sql$/)]
const features = new Set(
  readdirSync(new URL('src', root), { withFileTypes: true })
    .filter((entry) => entry.isDirectory() && !['lib', 'ui', 'commands'].includes(entry.name))
    .map((entry) => entry.name),
)
const importsOf = (file: string) =>
  [...read(file).matchAll(/^(?:import|export)\s[^'"]*?['"]([^'"]+)['"]/gm)].map(([, from]) => from!)

describe('imports', () => {
  test('a feature imports another feature’s contract and nothing else of it', () => {
    const wrong = sources.flatMap((file) => {
      const feature = file.split('/')[1]!
      if (!features.has(feature) || file.endsWith('.test.ts')) return []
      return importsOf(file)
        .filter((from) => /^#([\w-]+)\//.test(from))
        .filter((from) => {
          const other = from.slice(1).split('/')[0]!
          return features.has(other) && other !== feature && !from.endsWith('.contract.ts')
        })
        .map((from) => `${file} imports ${from}`)
    })
    assert.deepEqual(
      wrong.filter((line) => !allowed.has(line)),
      [],
    )
  })

  test('lib and ui import no feature', () => {
    const wrong = sources
      .filter((file) => /^src\/(lib|ui)\//.test(file) && !file.endsWith('.test.ts'))
      .flatMap((file) =>
        importsOf(file)
          .filter((from) => features.has(from.slice(1).split('/')[0]!))
          .map((from) => `${file} imports ${from}`),
      )
    assert.deepEqual(wrong, [])
  })

  test('the browser’s files import no server file', () => {
    const of_browser = sources.filter((file) =>
      /\.tsx$|contract\.ts$|api\.ts$|session\.ts$/.test(file),
    )
    for (const file of of_browser) {
      const wrong = importsOf(file).filter((from) => /\.server\.ts$|^node:/.test(from))
      assert.deepEqual(wrong, [], file)
    }
  })
})

/** What the house's own parts share, each with its reason. */
const allowed = new Set<string>([
  // a statement is drawn as reports are, in one way
  'src/funds/my-paper.server.ts imports #reports/document.ts',
  // what was brought back is proven before anybody relies on it
  'src/backups/restore.server.ts imports #funds/verify.server.ts',
  'src/backups/drill.server.ts imports #audit/verify.server.ts',
  // one press on the demo page signs in as the sign-in page does
  'src/landing/DemoPage.tsx imports #auth/session.ts',
  // the service that makes accounts is the auth service; the act that calls it belongs to users
  'src/users/users.server.ts imports #auth/setup.server.ts',
])

describe('sizes', () => {
  test('files stay under 300 lines, lines under 100 columns', () => {
    const ours = [...sources, ...files('test', /\.ts$/), ...sql_files]
    for (const file of ours) {
      const lines = read(file).split('\n')
      // Each code has its line in problems.ts.
      const most = file === 'src/problems.ts' ? 401 : (long_tests[file] ?? 301)
      assert.ok(lines.length <= most, `${file}: ${lines.length} lines`)
      // Tables’ sentences stand as they ran; the formatter keeps TypeScript at 100, but for text.
      const widest = file.startsWith('db/') ? 220 : file.endsWith('.sql') ? 100 : 130
      // A text of SQL stands on one line, where it can be found.
      const isText = (line: string) => /^comment on|'[^']{60,}'/.test(line) && file.endsWith('.sql')
      const long = lines.findIndex((line) => line.length > widest && !isText(line))
      assert.equal(long, -1, `${file}:${long + 1} is too wide`)
    }
  })
})

/** Long lists of promises from before that was so: none may join them, none may grow by much. */
const long_tests: Record<string, number> = {
  'src/employees/employees.test.ts': 502,
  'test/fences.test.ts': 594,
}

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
    const { routines, policies, granted, statements } = routinesAndCalls()
    const reached = reachedFrom(
      [...policies, statements],
      routines,
      ({ kind, definer }) => kind === 'view' || !definer,
    )
    const called = new Set([...reached].map(({ name }) => `function ${name}`))
    const idle = [...granted].filter(
      (name) => !called.has(`function ${name}`) && !needed_by_tables.has(`function ${name}`),
    )
    assert.deepEqual(idle, [])
  })

  test('tables are made in db/, and what can be replaced in src/, listed in its order', () => {
    const replaceable = /^create (or replace )?(function|view|trigger|policy|aggregate)\b/
    for (const file of sql_files) {
      for (const { text, line } of statementsOf(read(file))) {
        const wrong = file.startsWith('db/')
          ? /^(grant|revoke execute)\b/.test(text) ||
            (replaceable.test(text) && !needed_by_tables.has(definedBy(text) ?? ''))
          : /^(create (unlogged )?(table|index|type|domain)|alter|drop|insert|update|delete)\b/.test(
              text,
            )
        assert.ok(!wrong, `${file}:${line}: ${text.slice(0, 60)}`)
      }
    }
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

describe('refusals', () => {
  /** Where each code is refused: a function in SQL, or a file of the server. A constraint’s name is no place. */
  function placesOfCodes() {
    const places = new Map<string, Set<string>>()
    const note = (code: string, place: string) => {
      if (isProblemCode(code)) places.set(code, (places.get(code) ?? new Set()).add(place))
    }
    for (const file of sql_files) {
      for (const { text } of statementsOf(read(file))) {
        const plain = text.replaceAll(/--.*/g, '')
        const place = `${file} ${definedBy(text) ?? ''}`
        for (const [, code] of plain.matchAll(/\b(?:then|else|exception|refuse\()\s*'(\w+)'/g))
          note(code!, place)
      }
    }
    const of_server = (file: string) =>
      /(\.server|policy|\/rules)\.ts$/.test(file) && !file.startsWith('src/auth/')
    for (const file of sources.filter((one) => of_server(one))) {
      const refusing = /(?:\bnew Problem|Problem\.at|\breturn|\bcode:)[^\n;]*/g
      for (const [said] of read(file).matchAll(refusing)) {
        for (const [, code] of said.matchAll(/'(\w+)'/g)) note(code!, file)
      }
    }
    return places
  }

  test('each has one home: one rule, asked by acts, lists and details', () => {
    const places = placesOfCodes()
    assert.ok(places.size > 120, `only ${places.size} codes were found`)
    const twice = [...places].filter(
      ([code, where]) => where.size > 1 && !says_no_rule.has(code) && !of_more.has(code),
    )
    assert.deepEqual(
      twice.map(([code, where]) => `${code}: ${[...where].join(', ')}`),
      [],
    )
  })
})

/** What is no rule about a thing: it is not there, not theirs, not as it was; or the installation cannot just now. */
const says_no_rule = new Set<string>([
  'not_found',
  'forbidden',
  'changed_meanwhile',
  'invalid_input',
  'method_not_allowed',
  'scim_value',
  'scim_path',
  'scim_filter',
  'not_signed_in',
  'too_many_requests',
  'busy',
  'unavailable',
  'internal',
  'storage_away',
  'storage_full',
  'file_damaged',
])

/** Codes of several things, each with its reason. */
const of_more = new Set<string>([
  'yourself', // nobody’s own person, nobody’s own erasure
  'not_asking', // a person, a dependent
  'too_many_entries', // two exports
  'admin_too_new', // one rule, `same_hand`: of a claim’s decisions, and of a run’s release
  // A form says them while it is filled in (src/claims/rules.ts), of facts that are read by the database; a receipt
  // may go, or be used, until the act, and with an answer or appeal no form has looked at it.
  'receipt_gone',
  'receipt_used',
  'receipt_broken', // a picture, a PDF, and what ends its reader
  'receipt_too_small', // a picture, a PDF
])

type Routine = { kind: string; name: string; text: string; definer: boolean }

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
  const product = sources.filter((file) => !file.endsWith('.test.ts'))
  const statements = product.flatMap((file) =>
    [...read(file).matchAll(/`[^`]*`/g)].map(([text]) => text),
  )
  return { routines, policies, tables, granted, statements: statements.join('\n') }
}

/** What is called from there, and from what that calls. */
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

/** Without them their tables cannot be: a generated column, an index, a check. */
const needed_by_tables = new Set([
  'function email_domain',
  'function private.likeness_parts',
  'function private.iban_holds',
])

/** `function private.seal`, `policy claims.your_own`; nothing for what defines no name. */
function definedBy(statement: string): string | undefined {
  const text = statement.replaceAll(/--.*/g, '').replaceAll(/\s+/g, ' ').replace('or replace ', '')
  const [, kind, name] =
    /^create (?:unlogged )?(?:unique )?(table|index|type|domain|function|aggregate|view|trigger|policy) ([\w.]+)/.exec(
      text,
    ) ?? []
  if (!kind) return undefined
  const table = /^(?:trigger|policy)$/.test(kind) ? `${/ on ([\w.]+)/.exec(text)?.[1]}.` : ''
  return `${kind} ${table}${name}`
}

/** Names of who is gone, and the one mail that is written with the erasure itself. */
const names_in_sql = new Set([
  'An admin',
  'Former dependent',
  'Former member',
  'Your data has been erased',
  'You asked for it: your account at Healthfund and everything that named you is erased.',
  'Amounts stay in the books without your name, as the law asks. This is the last mail to this address.',
])

describe('what is stored', () => {
  test('is a code, never a sentence: no function of the database writes one', () => {
    const said = files('src', /\.sql$/).flatMap((file) =>
      textsOfSql(file, read(file)).filter(({ at, text }) => {
        const line = read(file).split('\n')[at - 1]!
        return !line.startsWith('comment on') && !names_in_sql.has(text)
      }),
    )
    const catalogue = 'src/claims/policies/policies.sql' // the types that a company begins with, and edits
    assert.deepEqual(
      said.filter(({ file }) => file !== catalogue).map(({ file, at }) => `${file}:${at}`),
      [],
    )
  })

  test('every code that somebody is told has its words, and all words are told', () => {
    const sql = files('src', /\.sql$/)
      .map(read)
      .join('\n')
    const security = read('src/gotrue/notices.server.ts')
    const told = [
      ...sql.matchAll(/'(?:claims|funds|health|account)',\s*'(\w+)'/g),
      ...sql.matchAll(/notify_about\(\S+ \S+ '(\w+)'/g),
      ...sql.matchAll(/tell_claimant\(c, '(\w+)'/g),
    ].map(([, code]) => code!)
    assert.ok(told.length > 15)
    assert.deepEqual(
      told.filter((code) => !Object.hasOwn(words, code)),
      [],
    )
    const unheard = Object.keys(words).filter(
      (code) => !sql.includes(`'${code}'`) && !security.includes(`'${code}'`) && code !== 'earlier',
    )
    assert.deepEqual(unheard, [])
  })
})

describe('the database', () => {
  let sql: Sql
  let drop: () => Promise<void>
  before(async () => {
    const database = await testDatabase()
    sql = connect(database.url)
    drop = async () => {
      await sql.end()
      await database.drop()
    }
  })
  after(() => drop())

  const tables = () => sql<{ name: string; rls: boolean; comment: string | null; oid: number }[]>`
    select c.oid::int, n.nspname || '.' || c.relname as name, c.relrowsecurity as rls,
      obj_description(c.oid, 'pg_class') as comment
    from pg_class c join pg_namespace n on n.oid = c.relnamespace
    where c.relkind in ('r', 'p') and n.nspname in ('public', 'auth', 'private') and not c.relispartition`

  test('every table has row-level security and a sentence', async () => {
    for (const { name, rls, comment } of await tables()) {
      assert.ok(rls, `${name} has no row-level security`)
      assert.ok(comment && comment.length > 20, `${name} has no sentence`)
    }
  })

  test('every table of the business is audited', async () => {
    const audited = await sql<{ name: string }[]>`
      select tgrelid::regclass::text as name from pg_trigger where tgfoid = 'audited'::regproc`
    const names = new Set(audited.map(({ name }) => name))
    const business = (await tables()).map(({ name }) => name).filter((n) => n.startsWith('public.'))
    const missing = business
      .map((n) => n.slice(7))
      .filter((n) => !names.has(n) && !unaudited.has(n))
    assert.deepEqual(missing, [])
  })

  test('what a company owns has the company in its primary key and in every key to it', async () => {
    const keys = await sql<{ name: string; kind: string; columns: string[]; to: string | null }[]>`
      select c.conrelid::regclass::text as name, c.contype::text as kind,
        nullif(c.confrelid, 0)::regclass::text as "to",
        to_json(array(select a.attname from unnest(c.conkey) with ordinality k(num, at)
          join pg_attribute a on a.attrelid = c.conrelid and a.attnum = k.num order by k.at)) as columns
      from pg_constraint c join pg_namespace n on n.oid = c.connamespace
      where n.nspname = 'public' and c.contype in ('p', 'f')`
    const owned = keys.filter((k) => k.kind === 'p' && k.columns[0] === 'company_id')
    const owned_names = new Set(owned.map(({ name }) => name))
    const with_company = await sql<{ name: string }[]>`
      select attrelid::regclass::text as name from pg_attribute a join pg_class c on c.oid = attrelid
      where attname = 'company_id' and c.relkind in ('r', 'p') and c.relnamespace = 'public'::regnamespace`
    for (const { name } of with_company) {
      if (!untenanted.has(name))
        assert.ok(owned_names.has(name), `${name}: company_id is not first in its key`)
    }
    for (const key of keys.filter(
      (k) => k.kind === 'f' && owned_names.has(k.name) && owned_names.has(k.to ?? ''),
    )) {
      assert.equal(key.columns[0], 'company_id', `${key.name} → ${key.to}`)
    }
  })

  test('a routine that sets its search path looks at temporary tables last, and each definer sets one', async () => {
    const routines = await sql<{ name: string; definer: boolean; path: string | null }[]>`
      select p.oid::regprocedure::text as name, p.prosecdef as definer, (select substring(c from 13)
          from unnest(p.proconfig) c where c like 'search_path=%') as path
      from pg_proc p where p.pronamespace::regnamespace::text in ('public', 'auth', 'private')
        and not exists (select from pg_depend e where e.objid = p.oid and e.deptype = 'e')`
    const wrong = routines.filter(({ definer, path }) =>
      path === null ? definer : !path.endsWith(', pg_temp'),
    )
    assert.deepEqual(wrong, [])
  })

  test('a routine has at most five parameters: what is more travels as a record, by names', async () => {
    const wide = await sql<{ name: string }[]>`
      select p.proname as name from pg_proc p
      where p.pronargs > 5 and p.pronamespace::regnamespace::text in ('public', 'auth', 'private')
        and not exists (select from pg_depend e where e.objid = p.oid and e.deptype = 'e')`
    assert.deepEqual(
      wide.map(({ name }) => name),
      [],
    )
  })

  test('the request login owns nothing and cannot go around row security', async () => {
    const [login] = await sql`
      select rolsuper, rolbypassrls, rolcreaterole, rolcreatedb,
        (select count(*) from pg_class where relowner = r.oid)::int as owned
      from pg_roles r where rolname = 'healthfund_request'`
    assert.deepEqual(
      { ...login },
      {
        rolsuper: false,
        rolbypassrls: false,
        rolcreaterole: false,
        rolcreatedb: false,
        owned: 0,
      },
    )
  })
})

/** Tables that are records themselves, or hold nothing of the business. */
const unaudited = new Set([
  'scim_people', // what an identity provider calls people, who are audited
  'scim_members', // likewise its groups: what they change of people is audited
  'scim_calls', // a record itself, of some weeks
  'audit_log', // the record itself
  'answered_requests', // copies of answers, gone after a day
  'mails', // on their way, gone when sent
  'migrations',
  'free_mail_domains', // a public list
  'currencies', // likewise
  'holiday_places', // likewise
  'public_holidays', // likewise
  'people_added', // a count of the day, of people who are audited
  'headcounts', // counts kept of profiles, which are audited
  'departments', // likewise
  'headcount_days', // likewise, day by day
  'import_rows', // a file's rows on their way; what becomes of them is audited
  // The ledger is a record itself, append-only and sealed, with the actor of each transfer:
  'accounts',
  'transfers',
  'unsealed_transfers',
  'transfer_seals',
  'ledger_heads',
  'kept_totals',
  'daily_totals',
  'grants', // what each transfer of a grant was reckoned from
  'regrants', // a background act's progress
  'waiting_totals', // sums kept of grants
  'fund_alerts', // what was told, once
  'report_files', // what a report that is recorded consists of
  'audit_seals', // the chain over the record
  'audit_heads', // likewise
  'claim_events', // the record itself, of claims, which are audited
  'pay_claims', // which claims a part of a run pays: the runs and their parts are audited
  'pay_offsets', // likewise, what they keep back
  'claim_totals', // counts kept of claims
  'claim_changes', // what is not folded into them yet
  'preferences', // a person's own switches
  'mail_paces', // when somebody was last mailed
  'demo_world', // whether this is a demo, and its public logins
  'notifications', // what was told, and whether it was read
  'receipt_openings', // a record itself: written once, in the act that opened
  'dependent_events', // the record itself
  'data_export_parts', // where the pieces of an export are; the export is audited
  'check_bookings', // who booked a health check is nobody else's to read; it keeps its own times
])

/** Tables that name a company but are not a company's own. */
const untenanted = new Set([
  'profiles', // a person may have no company yet
  'audit_log', // the platform's own changes are in it too
  'check_providers', // one of the platform is every company's
  'check_slots', // likewise
])

describe('the pages', () => {
  test('every problem is used', () => {
    const text = [...sources.filter((f) => f !== 'src/problems.ts'), ...sql_files]
      .map(read)
      .join('\n')
    const unused = Object.keys(problems).filter((code) => !new RegExp(`\\b${code}\\b`).test(text))
    assert.deepEqual(unused, [])
  })

  test('every act has its callers, and only acts have', () => {
    const acts = Object.entries(contracts).flatMap(([feature, contract]) =>
      Object.keys(contract).map((name) => `${feature}.${name}`),
    )
    assert.deepEqual(Object.keys(callers).sort(), acts.sort())
  })

  test('docs/api.md and .env.example are fresh (npm run check -- --write renews them)', () => {
    assert.equal(read('docs/api.md'), apiList())
    assert.equal(read('.env.example'), envExample())
  })

  test('docs/dependencies.md has each package of package.json, with its licence', () => {
    const { dependencies, devDependencies } = JSON.parse(read('package.json'))
    const written = [
      ...read('docs/dependencies.md').matchAll(/^\| (\S+) \|.*\| (.+?) \| .+? \|$/gm),
    ]
      .map(([, name, license]) => `${name}: ${license}`)
      .filter((line) => !line.startsWith('package:'))
    const wanted = Object.keys({ ...dependencies, ...devDependencies }).map(
      (name) => `${name}: ${JSON.parse(read(`node_modules/${name}/package.json`)).license}`,
    )
    assert.deepEqual(written, wanted)
  })

  test('every act is in the OpenAPI document', () => {
    const { paths } = openapi(contracts)
    const documented = Object.values(paths).flatMap((operations) =>
      Object.values(operations).map(
        (operation) => (operation as { operationId: string }).operationId,
      ),
    )
    assert.deepEqual(documented.toSorted(), Object.keys(callers).toSorted())
  })
})
