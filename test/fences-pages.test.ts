// The repository tests itself: an act that a right opens is of use on a page that the right opens.
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { contracts, type Act } from '#contracts.ts'
import { pages, type PageName } from '#paths.ts'
import { isProblemCode } from '#problems.ts'
import { acts_of_rights as of_keys } from '#permissions/key-rights.ts'
import { callers } from '#policy.ts'
import { CompanyRight } from '#users/rights.contract.ts'
import { unlikeExceptions, importsOf, read, source_files, target } from './sources.ts'

/** Open to a right on whose pages nothing asks it, by the reason. */
const without_page = {
  'an owner has it under Needs you': [
    'owner: employees.requests',
    'owner: employees.approve',
    'owner: employees.decline',
  ],
  'a need opens one alone, their page has all': ['people: privacy.find_erasure'],
  'a rule of the company, on a page that an owner opens who has People, too': [
    'owner: companies.domain',
    'owner: companies.set_auto_registration',
    'owner: imports.set_leaver_limit',
    'owner: dependents.rules',
    'owner: dependents.set_approval',
    'owner: dependents.set_child_age',
  ],
  'HR answers for what somebody is granted and covered': [
    'people: funds.waiting',
    'people: funds.plan',
    'people: group_plans.list',
    'people: dependents.history',
  ],
  'decisions are made by the policy, and checked against it': [
    'reviewer: policies.current',
    'reviewer: policies.history',
    'auditor: policies.current',
    'auditor: policies.history',
    'auditor: limits.list',
  ],
  'the claim that a reviewer has open names them': [
    'reviewer: receipts.list',
    'reviewer: receipts.find',
  ],
  'an auditor reads money (docs/accounts.md), so far by the API alone': [
    'auditor: payouts.runs',
    'auditor: payouts.find',
    'auditor: payouts.items',
    'auditor: payouts.overpayments',
    'auditor: payment_blocks.list',
    'auditor: books.sums',
    'auditor: books.journal',
  ],
  'docs/groups.md': ['auditor: groups.of_person'],
}

const acts = new Set(
  Object.entries(contracts).flatMap(([feature, contract]) =>
    Object.keys(contract).map((name) => `${feature}.${name}`),
  ),
)

/** Parts of any page that offer what other pages have, to those whom these are open to. */
const offers = /^src\/(find\/|need-acts\.tsx)/

/** The acts that a file names, and those of what it imports. */
const known = new Map<string, Set<string>>()
function actsIn(file: string, files_read = new Set<string>()): Set<string> {
  const found = known.get(file)
  if (found) return found
  const all = new Set<string>()
  const waiting = [file]
  while (waiting.length > 0) {
    const next = waiting.pop()!
    if (files_read.has(next) || offers.test(next) || !/^src\/.*\.tsx?$/.test(next)) continue
    files_read.add(next)
    const text = read(next)
    for (const [, client = '', feature = '', name = ''] of text.matchAll(
      /\b(?:lazy_)?(api|\w+_api)(?:\.|\?\.)(\w+)(?:\.(\w+))?/g,
    )) {
      const act = name ? `${feature}.${name}` : ''
      const of_one = `${client.replace(/_api$/, '')}.${feature}`
      for (const one of [act, of_one]) if (acts.has(one)) all.add(one)
    }
    waiting.push(...importsOf(next).map((from) => target(next, from)))
  }
  known.set(file, all)
  return all
}

/** Each page’s own files, as routes.tsx loads them. */
function filesOf(): Map<PageName, string[]> {
  const [, screens = ''] = /const screens[^{]*\{([\s\S]*?)\n\}\n/.exec(read('src/routes.tsx')) ?? []
  const parts = screens
    .replaceAll('reviewQueue', "import('#claims/review/ClaimsPage.tsx')")
    .split(/\n {2}(?=\w+: )/)
    .slice(1)
  const files = parts.map((part): [PageName, string[]] => [
    /^\w+/.exec(part)![0] as PageName,
    [...part.matchAll(/import\('([^']+)'\)/g)].map(([, from]) => target('src/routes.tsx', from!)),
  ])
  return new Map(files)
}

test('an act that is open to a right is asked on a page open to it, by a key, or stands here with its reason', () => {
  const loaded = filesOf()
  for (const [name, files] of loaded) assert.ok(files.length > 0, name)
  const by_keys = new Set<string>(Object.values(of_keys).flat())
  const around = actsIn('src/auth/SignedIn.tsx')
  const unused = CompanyRight.options.flatMap((right) => {
    const used_acts = new Set(around)
    for (const [name, files] of loaded) {
      const { open_to } = pages[name]
      if (typeof open_to !== 'string' && !(open_to as readonly string[]).includes(right)) continue
      for (const file of files) for (const act of actsIn(file)) used_acts.add(act)
    }
    return Object.entries(callers)
      .filter(([, who]) => typeof who !== 'string' && who.includes(right))
      .filter(([act]) => !used_acts.has(act) && !by_keys.has(act as Act))
      .map(([act]) => `${right}: ${act}`)
  })
  assert.deepEqual(unlikeExceptions(unused, Object.values(without_page).flat()), [])
})

test('a button’s refusal is the server’s, who would refuse the act: no screen makes one', () => {
  const made = source_files
    .filter((file) => file.endsWith('.tsx'))
    .flatMap((file) =>
      [...read(file).matchAll(/[?:]\s*'(\w+)'/g)].flatMap(([, code]) =>
        isProblemCode(code) ? `${file}: ${code}` : [],
      ),
    )
  assert.deepEqual(made, [])
})

test('a scroll is a statement: newer browsers answer it with a promise, which React would call as a clean-up', () => {
  const answered = source_files
    .filter((file) => /\.tsx?$/.test(file) && !/\.(?:server|test)\.ts$/.test(file))
    .filter((file) => /=>\s*(?:[\w.?]+\.)?scroll(?:To|By|IntoView)?\(/.test(read(file)))
  assert.deepEqual(answered, [])
})
