// The repository tests itself: the callers of an act, as policy.ts has them, are those whom the SQL that it calls serves.
import assert from 'node:assert/strict'
import { test } from 'node:test'
import type { Act } from '#contracts.ts'
import { everybody } from '#permissions/callers.ts'
import { callers } from '#policy.ts'
import { calledBy, matchesIn, sql_functions } from './acts.ts'

/** A function's declarations and its first steps, which hang on nothing. */
function beginningOf(text: string) {
  const plain = text
    .replace('#variable_conflict use_column ', '')
    .replace(/begin if private\.is_request\(\) then (.*?) end if;/, 'begin $1')
    .replace(/begin if not private\.is_request\(\) then return [^;]*; end if;/, 'begin')
  const [, declared = '', body = ''] = /\$\$ (?:declare (.*?) )?begin (.*)/.exec(plain) ?? []
  return `${declared} ${/^(?:(?!if |for )[^;]*; ?){1,2}/.exec(body)?.[0] ?? ''}`
}

type Served = { kinds: string[]; refuses: boolean } | undefined

/**
 * The callers whom a function serves, by its own check or that of a function it begins with; it refuses others, or finds nothing.
 */
function servedBy(name: string, above: readonly string[] = []): Served {
  const text = sql_functions.get(name) ?? ''
  const beginning = beginningOf(text)
  const [demand] = matchesIn(beginning, /private\.require_(?:role|right|right_at)\(([^)]*)\)/g)
  if (demand) return { kinds: kindsIn(demand), refuses: true }
  const [condition, ...more] = matchesIn(
    text,
    /\b(?:and|where|if not) (?:\(select )?actor_has\(('[^)]*)\)/g,
  )
  if (condition && more.length === 0 && !/ or |\bactor_(?:role|employee)\(/.test(text))
    return { kinds: kindsIn(condition), refuses: false }
  for (const next of matchesIn(beginning, /\b(private\.\w+)\(/g)) {
    const served = above.includes(next) ? undefined : servedBy(next, [...above, name])
    if (served) return served
  }
  return undefined
}

const kindsIn = (list: string) => matchesIn(list, /'(\w+)'/g)

/** Whether a function may write what its caller may not. */
function writes(name: string) {
  const [declared = ''] = sql_functions.get(name)!.split(/ (?:as \$\$|return |begin atomic)/)
  return declared.includes(' security definer') && !/ (?:stable|immutable)\b/.test(declared)
}

/** Writing functions whose callers can't be read from the code: how each finds whom it serves, and why that is enough. */
const guards: { by: string; because: string; of: string[] }[] = [
  {
    by: 'private.lock_own_claim(',
    because: 'the claim is the person’s own',
    of: ['withdraw_claim', 'answer_claim', 'appeal_claim'],
  },
  {
    by: 'private.lock_person(',
    because: 'another right for an employee than for an admin, and the provider for both',
    of: [
      'approve_person',
      'decline_person',
      'suspend_person',
      'reactivate_person',
      'invite_again',
      'remove_person',
      'edit_employment',
      'number_person',
      'correct_address',
    ],
  },
  {
    by: "when 'employee' then actor_has('people')",
    because: 'the role that is given decides, as in private.lock_person',
    of: ['add_person'],
  },
  {
    by: 'private.lock_dependent(',
    because: 'the dependent is the person’s own, or HR decides',
    of: ['change_dependent', 'end_dependent', 'withdraw_dependent'],
  },
  {
    by: "actor_has('people')",
    because: 'the decision of HR is found by it, in a text with other conditions',
    of: ['undo_dependent'],
  },
  {
    by: "actor_has('people', 'reviewer', 'auditor')",
    because: 'the provider looks through all companies, others through theirs',
    of: ['find_people'],
  },
  {
    by: "actor_has('finance', 'auditor', 'plain_claims')",
    because: 'a key of the company asks: who has one of its rights finds something',
    of: ['plain_claims'],
  },
  { by: 'private.right_of_view(', because: 'a page has its own right', of: ['save_view'] },
  {
    by: 'private.lock_view(',
    because: 'the view is the person’s own, and its page has its own right',
    of: ['change_view', 'remove_view'],
  },
  {
    by: 'actor_is_at_work()',
    because: 'any right at all of the company’s side, or the provider',
    of: ['add_absence', 'end_absence'],
  },
  {
    by: 'private.lock_booking(',
    because: 'the booking is the person’s own',
    of: ['move_check', 'cancel_check'],
  },
  {
    by: 'private.begin_provider_act(',
    because: 'a company sets up its checks, or the provider does for all',
    of: ['close_provider', 'reopen_provider'],
  },
  {
    by: 'private.lock_your_slots(',
    because: 'as of the provider of checks whose times they are',
    of: ['close_slot', 'reopen_slot', 'close_check_day'],
  },
  {
    by: 'person_id = actor_id()',
    because: 'the row is the person’s own, or is shown to those who may open it',
    of: ['remove_receipt', 'open_receipt', 'retry_export', 'open_export', 'withdraw_erasure'],
  },
  {
    by: 'actor_id()',
    because: 'the account of whoever asks, which is what changes',
    of: ['change_request', 'end_my_sessions'],
  },
  {
    by: "actor_role() not in ('employee', 'company_admin', 'super_admin')",
    because: 'everybody but those who wait asks it for themselves',
    of: ['request_export', 'request_erasure'],
  },
  {
    by: 'private.lock_erasure(',
    because: 'HR of the company decides first, then the provider',
    of: ['approve_erasure', 'refuse_erasure'],
  },
  {
    by: 'actor_company()::text',
    because: 'a file that is in no row yet has nothing but its company',
    of: ['drop_upload'],
  },
  {
    by: '',
    because: 'an open page asks again what it may see; nothing is said of what changed',
    of: ['publish'],
  },
  { by: '', because: 'a job alone may call it, under the server’s login', of: ['seal_transfers'] },
  { by: '', because: 'anybody writes to the provider, without an account', of: ['submit_inquiry'] },
]

test('the callers of an act are those whom the SQL serves that it calls', () => {
  const acts_of = new Map<string, Set<Act>>()
  for (const act of Object.keys(callers) as Act[]) {
    for (const one of calledBy(act)) acts_of.set(one, (acts_of.get(one) ?? new Set()).add(act))
  }
  // A right of keys alone is none of policy.ts.
  const of_people = (kinds: Iterable<string>) => everybody.filter((one) => [...kinds].includes(one))
  const unlike: object[] = []
  const unsaid: string[] = []
  const compared = new Set<Act>()
  for (const [name, acts] of acts_of) {
    const served = servedBy(name)
    if (!served) {
      if (writes(name)) unsaid.push(name)
      continue
    }
    for (const act of acts) compared.add(act)
    const in_sql = of_people(served.kinds)
    const in_policy = of_people([...acts].flatMap((act) => callers[act]))
    // Where others find nothing, an act may have more than it to tell them.
    const agree = served.refuses
      ? String(in_sql) === String(in_policy)
      : in_sql.every((kind) => in_policy.includes(kind))
    if (!agree) unlike.push({ name, in_sql, in_policy, acts: [...acts] })
  }
  assert.ok(compared.size > 145, `only ${compared.size} acts were compared`)
  assert.deepEqual(unlike, [])
  const guarded = guards.flatMap(({ of }) => of)
  const only = (these: string[], others: string[]) => these.filter((one) => !others.includes(one))
  assert.deepEqual(only(unsaid, guarded), [], 'write, and say nothing of whom they serve')
  assert.deepEqual(only(guarded, unsaid), [], 'say themselves whom they serve, or are not called')
  for (const { by, of } of guards)
    for (const name of of) assert.ok(sql_functions.get(name)!.includes(by), `${name} lacks ${by}`)
})
