// The repository tests itself: a refusal has one home, and an act that is refused by what it finds says so beforehand.
import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import { z } from 'zod'
import { contracts, type Act } from '#contracts.ts'
import { Refusal, type Endpoint } from '#lib/contract.ts'
import { statementsOf } from '#lib/sql-files.server.ts'
import { isProblemCode } from '#problems.ts'
import { callers } from '#policy.ts'
import { calledBy, matchesIn, sql_functions } from './acts.ts'
import {
  by_the_act,
  carried_by,
  never_met,
  no_rule,
  of_input,
  of_more,
} from './refusal-exceptions.ts'
import {
  definedBy,
  needed_by_tables,
  read,
  source_files,
  sql_files,
  unlikeExceptions,
} from './sources.ts'

const isRule = (name: string) => name.includes('refusal')

/** The functions of SQL that each calls. */
const calls = new Map(
  [...sql_functions].map(([name, text]) => {
    const called = matchesIn(text, /(?<![\w.])((?:private\.)?\w+)\(/g)
    return [name, called.filter((one) => one !== name && sql_functions.has(one))] as const
  }),
)

/** The functions that are reached from these; behind one that `ends` nothing is looked at. */
function reached(names: readonly string[], ends: (name: string) => boolean) {
  const found = new Set<string>()
  const follow = (name: string) => {
    if (found.has(name)) return
    found.add(name)
    if (!ends(name)) calls.get(name)!.forEach(follow)
  }
  names.forEach(follow)
  return [...found]
}

/** Functions that nobody but rules calls: they are a part of the rule. */
const parts = new Set<string>()
for (let before = -1; before < parts.size;) {
  before = parts.size
  for (const name of sql_functions.keys()) {
    const by = [...calls].filter(([, called]) => called.includes(name)).map(([caller]) => caller)
    if (by.length > 0 && by.every((one) => isRule(one) || parts.has(one))) parts.add(name)
  }
}

/** Whether a function only reads, and refuses nothing: what it filters by a rule is no act of its caller. */
function isReading(name: string) {
  const text = sql_functions.get(name)!
  const [declared = ''] = text.split(/ (?:as \$\$|return |begin atomic)/)
  return / (?:stable|immutable)\b/.test(declared) && !text.includes('private.refuse(')
}

/** The codes that a statement of SQL answers or refuses with. */
const codesIn = (plain: string) =>
  matchesIn(plain, /\b(?:then|else|exception|return|select|refuse\()\s*'(\w+)'/g).filter((code) =>
    isProblemCode(code),
  )

/** Codes of a file of the server: thrown, or answered by what its handlers ask. */
const thrownIn = (file: string) =>
  [...read(file).matchAll(/(?:\bnew Problem|Problem\.at|\breturn|\bcode:)[^\n;]*/g)]
    .flatMap(([call]) => matchesIn(call, /'(\w+)'/g))
    .filter((code) => isProblemCode(code))

const server_files = source_files.filter((file) => file.endsWith('.server.ts'))
/** The way of a request before it is an act, and the service of accounts. */
const before_acts = /^src\/(?:lib|gotrue|auth)\/|^src\/app\.server\.ts$/

const endpoints = (Object.keys(callers) as Act[]).map((act) => {
  const [feature = '', name = ''] = act.split('.')
  const contract = (contracts as Record<string, Record<string, Endpoint>>)[feature]!
  return { act, feature, endpoint: contract[name]! }
})

/** Whether an answer says of acts why they may not be done. */
function carries(shape: unknown): boolean {
  if (shape === Refusal) return true
  if (shape instanceof z.ZodObject) return Object.values(shape.shape).some(carries)
  if (shape instanceof z.ZodArray) return carries(shape.element)
  if (shape instanceof z.ZodUnion) return shape.options.some(carries)
  return shape instanceof z.ZodNullable || shape instanceof z.ZodOptional
    ? carries(shape.unwrap())
    : false
}

/** A preview answers what a form would do as it is filled in, and is sent by POST for its size. */
const isRead = ({ act, endpoint }: (typeof endpoints)[number]) =>
  endpoint.method === 'GET' || act.endsWith('.preview')

const carriedIn = (act: Act) => reached(calledBy(act), () => false).filter(isRule)
const carrying = endpoints.filter((one) => isRead(one) && carries(one.endpoint.output))

describe('refusals', () => {
  /** Where each code is refused: a function in SQL, or a file of the server. A constraint’s name is no place. */
  function placesOfCodes() {
    const places = new Map<string, Set<string>>()
    const note = (code: string, place: string) => {
      places.set(code, (places.get(code) ?? new Set()).add(place))
    }
    for (const file of sql_files) {
      for (const { text } of statementsOf(read(file))) {
        const plain = text.replaceAll(/--.*/g, '')
        const name = definedBy(text) ?? ''
        if (needed_by_tables.has(name)) continue // what can never be, whatever a rule says
        const place = `${file} ${name}`
        for (const code of codesIn(plain)) note(code, place)
      }
    }
    const more = source_files.filter((file) => /(?:policy|\/rules)\.ts$/.test(file))
    for (const file of [...server_files, ...more].filter((one) => !one.startsWith('src/auth/'))) {
      for (const code of thrownIn(file)) note(code, file)
    }
    return places
  }

  test('a job has one way to publish', () => {
    const direct = [...sql_files, ...source_files].filter(
      (file) =>
        !file.endsWith('.test.ts') && read(file).includes("pg_notify('healthfund_published'"),
    )
    assert.deepEqual(direct, ['src/lib/messages.sql'])
  })

  test('SQL has one way to refuse', () => {
    const others = sql_files.filter((file) => /errcode = 'HF422'/.test(read(file)))
    assert.deepEqual(others, ['src/permissions/actor.sql'], 'private.refuse')
  })

  test('each has one home: one rule, asked by acts, lists and details', () => {
    const places = placesOfCodes()
    assert.ok(places.size > 120, `only ${places.size} codes were found`)
    const twice = [...places].filter(([, where]) => where.size > 1).map(([code]) => code)
    const wrong = unlikeExceptions(twice, [...no_rule, ...of_more])
    assert.deepEqual(
      wrong.map((code) => [code, ...(places.get(code) ?? [])]),
      [],
    )
  })

  test('an act that may not be done now says so beforehand: of itself it refuses what is typed, and races', () => {
    const acts = new Map<string, string[]>()
    const note = (codes: readonly string[], where: string) => {
      for (const code of codes.filter((one) => !no_rule.includes(one)))
        acts.set(code, [...(acts.get(code) ?? []), where])
    }
    for (const [name, text] of sql_functions) {
      if (isRule(name) || parts.has(name) || text.includes(' returns trigger ')) continue
      note(codesIn(text), name)
    }
    for (const file of server_files) if (!before_acts.test(file)) note(thrownIn(file), file)
    assert.ok(acts.size > 100, `only ${acts.size} codes were found`)
    const wrong = unlikeExceptions([...acts.keys()], Object.values(by_the_act).flat())
    assert.deepEqual(
      wrong.map((code) => [code, ...(acts.get(code) ?? [])]),
      [],
    )
  })

  test('a rule that an act asks is carried by an answer of its feature, for its button, or is of what is typed', () => {
    const carried = new Map<string, Set<string>>()
    for (const { act, feature } of carrying)
      carried.set(feature, new Set([...(carried.get(feature) ?? []), ...carriedIn(act)]))
    assert.ok(carried.size > 15, `only ${carried.size} features carry rules`)
    const elsewhere: Partial<Record<string, readonly Act[]>> = carried_by
    const typed = Object.values(of_input).flat()
    const found = new Set<string>()
    const led = new Set<string>()
    const lacking: string[] = []
    for (const { act, feature } of endpoints.filter((one) => !isRead(one))) {
      const answers = elsewhere[act] ?? []
      const ends = (name: string) => isRule(name) || isReading(name)
      for (const rule of reached(calledBy(act), ends).filter(isRule)) {
        found.add(rule)
        if (typed.includes(rule) || carried.get(feature)?.has(rule)) continue
        if (answers.some((answer) => carriedIn(answer).includes(rule))) led.add(act)
        else lacking.push(`${act} asks ${rule}`)
      }
    }
    assert.ok(found.size > 30, `only ${found.size} rules were found`)
    assert.deepEqual(unlikeExceptions(lacking, Object.values(never_met).flat()), [])
    assert.deepEqual(unlikeExceptions([...led], Object.keys(elsewhere)), [])
    const carriers: string[] = carrying.map(({ act }) => act)
    assert.deepEqual(
      Object.values(carried_by)
        .flat()
        .filter((answer) => !carriers.includes(answer)),
      [],
    )
    assert.deepEqual(
      typed.filter((rule) => !found.has(rule)),
      [],
    )
  })
})
