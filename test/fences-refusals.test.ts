// The repository tests itself: a refusal has one home, and an act that is refused by what it finds says so beforehand.
import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import { statementsOf } from '#lib/sql-files.server.ts'
import { isProblemCode } from '#problems.ts'
import {
  definedBy,
  needed_by_tables,
  read,
  source_files,
  sql_files,
  unlikeExceptions,
} from './sources.ts'

/** The functions of SQL, each without its comments. */
const functions = new Map<string, string>()
for (const { text } of sql_files.flatMap((file) => statementsOf(read(file)))) {
  const plain = text.replaceAll(/--.*/g, '').replaceAll(/\s+/g, ' ')
  const [head, name] = /^create or replace function ([\w.]+)/.exec(plain) ?? []
  if (head && name) functions.set(name, plain.slice(head.length))
}

/** The codes that a statement of SQL answers or refuses with. */
const codesIn = (plain: string) =>
  [...plain.matchAll(/\b(?:then|else|exception|refuse\()\s*'(\w+)'/g)]
    .map(([, code]) => code!)
    .filter(isProblemCode)

/** The functions whose answer is why an act may not be done now, or has it in a field. */
const rules = [...functions]
  .filter(([name, text]) => name.includes('refusal') || text.includes("'refusals', json"))
  .map(([name]) => name)

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
        const name = definedBy(text) ?? ''
        if (needed_by_tables.has(name)) continue // what can never be, whatever a rule says
        const place = `${file} ${name}`
        for (const code of codesIn(plain)) note(code, place)
      }
    }
    const of_server = (file: string) =>
      /(\.server|policy|\/rules)\.ts$/.test(file) && !file.startsWith('src/auth/')
    for (const file of source_files.filter((one) => of_server(one))) {
      const refusing = /(?:\bnew Problem|Problem\.at|\breturn|\bcode:)[^\n;]*/g
      for (const [refusing_call] of read(file).matchAll(refusing)) {
        for (const [, code] of refusing_call.matchAll(/'(\w+)'/g)) note(code!, file)
      }
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
    for (const [name, text] of functions) {
      if (name.includes('refusal') || text.includes(' returns trigger ')) continue
      for (const code of codesIn(text).filter((one) => !no_rule.includes(one)))
        acts.set(code, [...(acts.get(code) ?? []), name])
    }
    assert.ok(acts.size > 50, `only ${acts.size} codes were found`)
    const wrong = unlikeExceptions([...acts.keys()], Object.values(by_the_act).flat())
    assert.deepEqual(
      wrong.map((code) => [code, ...(acts.get(code) ?? [])]),
      [],
    )
  })

  test('a rule is carried by an answer, for the button of its act, or is of what is typed', () => {
    const carried = new Set<string>()
    const follow = (text: string) => {
      for (const rule of rules) {
        const call = new RegExp(String.raw`(?<![\w.])${rule.replace('.', '\\.')}\(`)
        if (carried.has(rule) || !call.test(text)) continue
        carried.add(rule)
        follow(functions.get(rule)!)
      }
    }
    for (const file of source_files.filter((one) => one.endsWith('.server.ts'))) follow(read(file))
    assert.ok(carried.size > 30, `only ${carried.size} rules were found`)
    const not_carried = rules.filter((rule) => !carried.has(rule))
    assert.deepEqual(unlikeExceptions(not_carried, Object.values(of_input).flat()), [])
  })
})

/** Codes that are no rule about a thing: it is not there, not theirs, not as it was; or the installation cannot just now. */
const no_rule = [
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
]

/** Codes of several things, each with its reason. */
const of_more = [
  'yourself', // nobody’s own person, nobody’s own erasure
  'not_requested', // a person, a dependent
  'person_erased', // an act on a person; what an act that was under way would write of them
  'too_many_entries', // the statement, the record of changes
  'pool_exhausted', // an adjustment’s money, what a rebalance moved
  'admin_too_new', // one rule, `counts_as_one`: of a claim’s decisions, and of a run’s release
  // A form says them while it is filled in (src/claims/rules/rules.ts), of facts that are read by the database; a receipt
  // may go, or be used, until the act, and with an answer or appeal no form has looked at it.
  'receipt_gone',
  'receipt_used',
  'receipt_broken', // a picture, a PDF, and what ends its reader
  'receipt_too_small', // a picture, a PDF
]

/** Codes that only the act knows, by the reason why no button can. */
const by_the_act = {
  'an amount, a day or a word that was typed': [
    'amount_must_be_positive',
    'approved_more_than_before',
    'approved_more_than_claimed',
    'approved_nothing',
    'reason_needed',
    'decide_by_line',
    'child_too_old',
    'too_young_for_that',
    'cover_after_leaving',
    'cover_before_joining',
    'already_approved',
    'contribution_already_recorded',
    'day_long_past',
    'day_to_come',
    'day_outside_plan_year',
    'cut_off_to_come',
    'pay_day_past',
    'nothing_to_pay',
    'month_to_come',
    'rebalance_keeps_the_sum',
    'nothing_to_move',
    'joins_too_far_ahead',
    'key_ends_past',
    'key_ends_too_late',
    'right_ends_too_soon',
    'domain_already_yours',
    'domain_code_wrong',
    'client_secret_needed',
    'source_secret_needed',
    'already_here',
    'email_taken',
    'outside_own_domain',
    'address_not_vouched',
    'page_closed',
    'has_a_fund',
  ],
  'somebody or something that was chosen': [
    'yourself',
    'manager_in_a_circle',
    'nothing_to_close',
    'right_already_given',
    'no_such_break_glass',
    'group_by_department',
    'already_booked_here',
    'too_many_receipts',
    'receipt_used',
    'receipt_gone',
  ],
  'a row or message of another system': [
    'scim_admin',
    'no_such_member',
    'outside_proven_domains',
    'user_name_taken',
    'personnel_number_taken',
  ],
  'a race: the screen offered it before another did what is in its way, or did it': [
    'pools_changed',
    'overpayment_changed',
    'host_key_changed',
    'block_already_removed',
    'claim_already_paid',
    'company_gone',
    'undo_money_used',
    'receipt_attached',
    'receipt_blacked_meanwhile',
    'no_erasure_requested',
    'export_not_failed',
    'report_not_failed',
  ],
  'as many as there may be, or as often, which nearly nobody meets': [
    'added_enough_today',
    'domain_mailed_enough',
    'mailed_just_now',
    'too_many_dependents',
    'too_many_domains',
    'too_many_keys',
    'too_many_messages',
    'too_many_views',
    'too_many_webhooks',
    'receipts_already_waiting',
  ],
  'no refusal: whoever presses it is asked for something, and goes on': ['password_needed'],
  'no refusal: a claim goes on to people': ['needs_a_person'],
  'a right that it needs besides, as the screen knows': ['receipts_not_for_you'],
}

/** Rules that no answer carries, by the reason. */
const of_input = {
  'what was typed, asked by two acts': [
    'private.absence_refusal',
    'private.domain_refusal',
    'private.steps_refusal',
  ],
  'a race: the seconds in which an act is undone are over': ['private.undo_refusal'],
}
