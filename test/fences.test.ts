// The repository tests itself: how large things are, how comments begin, what stands on its pages.
import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import { apiList } from '#api-list.server.ts'
import { first_load } from '#api/first-load.contracts.ts'
import { lazy } from '#api/lazy.contracts.ts'
import { connection_contracts } from '#connections/contracts.ts'
import { contracts } from '#contracts.ts'
import { envExample } from '#lib/config.server.ts'
import { openapi } from '#lib/openapi.ts'
import { words } from '#notifications/words.contract.ts'
import { callers } from '#policy.ts'
import { problems } from '#problems.ts'
import { leftOut, seldom } from './rotation.ts'
import { textsOfSql } from './words.ts'
import { unlikeExceptions, files, read, source_files, sql_files } from './sources.ts'

const nothing = { gone: '', come: '' }

test('what is played in turn is there, and has one turn of eight', () => {
  for (const file of seldom) {
    assert.ok(read(file), file)
    const played = [7, 8, 9, 10, 11, 12, 13, 14].filter(
      (now) => !leftOut(now, [], nothing).includes(file),
    )
    assert.equal(played.length, 1, file)
  }
})

test('what is played in turn is played out of turn once its folder or itself was changed, four at most', () => {
  for (const [changed, name] of [
    ['src/reports/gather.server.ts', 'src/reports/reports'],
    ['src/reports/gather.server.ts', 'src/reports/claims'],
    ['test/e2e/phone.test.ts', 'test/e2e/phone'],
  ] as const)
    for (const now of [7, 8])
      assert.ok(!leftOut(now, [changed], nothing).includes(`${name}.test.ts`), name)
  for (const now of [7, 8]) {
    const [all, fewer] = [leftOut(now, [], nothing), leftOut(now, seldom, nothing)]
    assert.equal(all.length - fewer.length, 4)
  }
})

test('it is also played out of turn once a text that it looks for went from the screens', () => {
  const file = 'test/e2e/founder.test.ts'
  const [text] = /'[A-Z]\w* \w+[^'\n]*'/.exec(read(file))!
  const gone = `-      <h2>${text.slice(1, -1)}</h2>`
  const now = [1, 2].find((at) => leftOut(at, [], nothing).includes(file))!
  assert.ok(!leftOut(now, [], { gone, come: '' }).includes(file))
  assert.ok(leftOut(now, [], { gone, come: gone }).includes(file))
})

test('what is sent and not awaited says its own failure: nobody else would', () => {
  const silent = source_files.flatMap((file) =>
    [...read(file).matchAll(/void \w+\s*\.submit\([\s\S]{0,160}/g)]
      .filter(([sent]) => !/showFailure|\.catch\(/.test(sent))
      .map(([sent]) => `${file}: ${sent.split('\n')[0]}`),
  )
  assert.deepEqual(silent, [])
})

test('a row that is an answer is parsed with its shape: none that is typed by hand goes on whole', () => {
  const by_hand =
    /const \[(\w+)\] = await (?:tx<|besideFields)|const \[[^=]*\[(\w+)\][^=]*= await Promise\.all/g
  const handlers = source_files.filter(
    (file) => file.endsWith('.server.ts') && read(file).includes('Handlers<'),
  )
  const unparsed = handlers.flatMap((file) => {
    const text = read(file)
    const names = [...text.matchAll(by_hand)].map(([, row, among]) => row ?? among)
    const whole = names.filter((name) =>
      new RegExp(`\\.\\.\\.${name}\\b(?![.(])|return ${name}\\n`).test(text),
    )
    return [...whole, ...(/(?:return|=>|\(await) tx</.exec(text) ?? [])].map(
      (one) => `${file}: ${one}`,
    )
  })
  assert.deepEqual(unparsed, [])
})

describe('sizes', () => {
  test('files stay under 300 lines, lines within their width', () => {
    const ours = [...source_files, ...files('test', /\.ts$/), ...sql_files]
    for (const file of ours) {
      const lines = read(file).split('\n')
      assert.ok(lines.length <= 301, `${file}: ${lines.length} lines`)
      // The formatter keeps TypeScript at 100, but for text.
      const widest = file.endsWith('.sql') ? 100 : 130
      // A sentence in SQL stands on one line, however long, where it can be found.
      const isText = (line: string) => /^comment on|'[^']{60,}'/.test(line) && file.endsWith('.sql')
      const long = lines.findIndex((line) => line.length > widest && !isText(line))
      assert.equal(long, -1, `${file}:${long + 1} is too wide`)
    }
  })
})

test('a module’s form, line, columns or kinds is named after what it is of', () => {
  const bare = /^(?:export )?(?:const|type|function) (?:Fields|Line|Acts|Wish|columns|kinds)\b/m
  assert.deepEqual(
    source_files.filter((file) => bare.test(read(file))),
    [],
  )
})

describe('comments', () => {
  test('begin with their subject: not with a clause that stands for it, unless they ask', () => {
    const clause = String.raw`(?:Who|Whom|Whose|Whoever|What|Whatever|By what|(?:By|To|For|Of) whom|That of|Said)\b.*[^?]$`
    const comment = new RegExp(String.raw`^\s*(?://|/?\*\*?|--|#) ${clause}`)
    const comment_on = new RegExp(String.raw`^(?:comment on .* is|\s*) ?'${clause}`)
    const within = /^\s*(?:\/\/|\/?\*\*?|--|#) .*[.] (?:Who|Whom|Whose)\b(?! may\b)[^?]*$/
    const commented = [
      ...['src', 'test', 'demo', 'bench'].flatMap((folder) => files(folder, /\.(?:tsx?|sql)$/)),
      ...files('db', /\.sql$/),
      ...files('ops', /\.(?:ya?ml|conf|sh|mjs)$/),
      'run.mjs',
      'vite.config.ts',
      'Dockerfile',
    ]
    const wrong = commented.flatMap((file) =>
      read(file)
        .split('\n')
        .filter(
          (line) =>
            comment.test(line) ||
            (within.test(line) && !file.startsWith('db/')) ||
            (file.endsWith('.sql') && comment_on.test(line)),
        )
        .map((line) => `${file}: ${line.trim()}`),
    )
    assert.deepEqual(wrong, [])
  })

  test('stand alone: none begins with a word that stands for its subject, as the line below shows it', () => {
    const pronoun = '(?:It|Its|They|Their|Them|Those|These|As|So|Where|In which)'
    const first_line = String.raw`^ *(?://|--|/\*\*(?:\n *\*)?) ${pronoun}\b.*`
    const begins = new RegExp(String.raw`(?<!^ *(?://|--) .*\n)${first_line}`, 'gm')
    // Databases know the files of db/ by their hash, comments included: what stands there stays.
    const wrong = files('src', /\.(?:tsx?|sql)$/).flatMap((file) =>
      (read(file).match(begins) ?? []).map((comment) => `${file}: ${comment.trim()}`),
    )
    assert.deepEqual(wrong, [])
  })
})

/** Names of who is gone, and the one mail that is written with the erasure itself. */
const names_in_sql = [
  'Former dependent',
  'Former member',
  'Your data has been erased',
  'You asked for it: your account at Healthfund and everything that named you is erased.',
  'Amounts stay in the books without your name, as the law asks. This is the last mail to this address.',
]

describe('what is stored', () => {
  test('is a code, never a sentence: no function of the database writes one', () => {
    const catalogue = 'src/claims/policies/policies.sql' // the types that a company begins with, and edits
    const refusals = files('src', /\.sql$/).flatMap((file) =>
      textsOfSql(file, read(file)).filter(({ at }) => {
        const line = read(file).split('\n')[at - 1]!
        return !line.startsWith('comment on') && file !== catalogue
      }),
    )
    assert.deepEqual(
      unlikeExceptions(
        refusals.map(({ text }) => text),
        names_in_sql,
      ),
      [],
    )
  })

  test('every code that somebody is told has its words, and all words are told', () => {
    const sql = files('src', /\.sql$/)
      .map(read)
      .join('\n')
    const security = read('src/gotrue/notices.server.ts')
    const codes = [
      ...sql.matchAll(/notify_(?:person|admins)\([^,;]+,\s*'(\w+)'/g),
      ...sql.matchAll(/notify_about\(\S+ \S+ '(\w+)'/g),
      ...sql.matchAll(/notify_claimant\(c, '(\w+)'/g),
    ].map(([, code]) => code!)
    assert.ok(codes.length > 15)
    assert.deepEqual(
      codes.filter((code) => !Object.hasOwn(words, code)),
      [],
    )
    const unheard = Object.keys(words).filter(
      (code) => !sql.includes(`'${code}'`) && !security.includes(`'${code}'`),
    )
    assert.deepEqual(unheard, [])
  })
})

describe('the pages', () => {
  test('every problem and every act stands once, in one of the files that are joined', () => {
    for (const [name, all] of Object.entries({ problems, policy: callers })) {
      const joined = source_files.filter((file) => file.endsWith(`/${name}.ts`)).map(read)
      const keys = joined.flatMap((text) =>
        [...text.matchAll(/^ {2}(?:(\w+)|'(\w+\.\w+)'): ['[a-z]/gm)].map(([, a, b]) =>
          String(a ?? b),
        ),
      )
      assert.deepEqual(keys.toSorted(), Object.keys(all).toSorted())
    }
  })

  test('every feature has one client in the browser', () => {
    const own = files('src/api', /-api\.ts$/).flatMap(
      (file) => /apiOf\(\{ (\w+) \}\)/.exec(read(file))?.[1] ?? [],
    )
    const joined = [first_load, lazy, connection_contracts].flatMap((some) => Object.keys(some))
    assert.deepEqual([...joined, ...own].toSorted(), Object.keys(contracts).toSorted())
  })

  test('every problem is used', () => {
    const text = [...source_files.filter((f) => !f.endsWith('/problems.ts')), ...sql_files]
      .map(read)
      .join('\n')
    const unused = Object.keys(problems).filter((code) => !new RegExp(`\\b${code}\\b`).test(text))
    assert.deepEqual(unused, [])
  })

  test('every problem is named by a test', () => {
    // Other fences list some of them, and refuse none.
    const tests = [...source_files, ...files('test', /\.ts$/)].filter((file) =>
      /^src\/.*\.test\.ts$|^test\/(?!fences)/.test(file),
    )
    const named = new Set(tests.flatMap((file) => read(file).match(/(?<=')\w+(?=')/g) ?? []))
    const untested = Object.keys(problems).filter((code) => !named.has(code))
    assert.deepEqual(untested, [])
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
    const expected = Object.keys({ ...dependencies, ...devDependencies }).map((name) => {
      const { license, licenses } = JSON.parse(read(`node_modules/${name}/package.json`))
      return `${name}: ${license ?? licenses[0].type}` // as packages said it before npm 2
    })
    assert.deepEqual(written, expected)
  })

  test('the lock file has what any package wants, on whichever system it runs', () => {
    type Package = { dependencies?: object; optionalDependencies?: object }
    const { packages } = JSON.parse(read('package-lock.json')) as {
      packages: Record<string, Package>
    }
    const reached = (from: string, name: string): boolean =>
      `${from && `${from}/`}node_modules/${name}` in packages ||
      (from !== '' &&
        reached(from.slice(0, Math.max(from.lastIndexOf('node_modules/') - 1, 0)), name))
    const lacking = Object.entries(packages).flatMap(([at, one]) =>
      Object.keys({ ...one.dependencies, ...one.optionalDependencies })
        .filter((name) => !reached(at, name))
        .map((name) => `${at} wants ${name}`),
    )
    assert.deepEqual(lacking, [])
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
