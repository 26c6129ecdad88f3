// An act that is open to several rights answers each of them the same as who has them all, or the difference is listed.
// Made from the contracts: a new act that reads is in it by itself.
import assert from 'node:assert/strict'
import { before, test } from 'node:test'
import { contracts } from '#contracts.ts'
import { toRequest, type Endpoint } from '#lib/contract.ts'
import { isOpenTo } from '#permissions/callers.ts'
import { callers } from '#policy.ts'
import { CompanyRight } from '#users/rights.contract.ts'
import { belongingsOf, type Belongings } from './world/one-of-each.ts'
import { inputOf } from './own-input.ts'
import { valuesOf, type Filled } from './own-values.ts'
import { withRights } from './world/rights.ts'
import { openedScene } from './world/scene.ts'
import type { Person } from './world/people.ts'

/** The fields, by act, that differ with the right. */
const differences: Record<string, string[]> = {
  // Others' rights, and with them what they may do: those of whoever asks are taken away here.
  'adjustments.find': ['confirmers[]'],
  'adjustments.list': ['adjustments[].confirmers[]'],
  'companies.first_day': ['admins'],
  'payouts.find': ['releasers[]'],
  'payouts.runs': ['runs[].releasers[]'],
  'policies.gaps': ['reviewers'],
  'policies.step_choices': ['people[]', 'people[].id', 'people[].name'],
  // The words about a claim are for reviewers, and so is the claim that an entry leads to.
  'audit.list': ['entries[].context.text'],
  'funds.statement': ['entries[].claim_opens'],
  // How far the new grants are, for those who read them.
  'funds.overview': ['regrant'],
}
/** Acts that answer what whoever asks may do, has to do, or has sent. */
const of_oneself = ['users.me', 'rights.list', 'needs.list', 'inquiries.form']

const rights = CompanyRight.options
const mayAsk = (act: string, right: CompanyRight) => {
  const who = callers[act as keyof typeof callers]
  if (typeof who === 'string') return true
  return isOpenTo(who, { role: 'company_admin', rights: [right], has_own: false })
}
const acts = Object.entries(contracts).flatMap(([feature, contract]) =>
  Object.entries(contract as Record<string, Endpoint>)
    .map(([name, endpoint]) => ({ act: `${feature}.${name}`, endpoint }))
    .filter(({ endpoint }) => endpoint.kind === 'json' && endpoint.method === 'GET')
    .filter(({ act }) => rights.some((right) => mayAsk(act, right)) && !of_oneself.includes(act)),
)

const scene = openedScene()
let own: Belongings
let values: Filled
/** Has first all rights, then one after the other. */
let one: Person
before(async () => {
  own = await belongingsOf(scene, 'Ana')
  values = await valuesOf(own)
  await claimedMore(own)
  const { api } = own.admin
  const file = new Blob([`name,email\nadmin,${own.admin.email}\nNora,nora@elsewhere.test\n`])
  const read = await api.imports.upload({ file_name: 'all.csv', full_list: true }, { file })
  own.ids.import = read.id
  one = await withRights(scene, own.stage.company, ...rights)
  await scene.confirm(one)
})

/** A reversed claim, and the appealed rest of one approved in part. */
async function claimedMore({ stage, person, admin }: Belongings) {
  const { review } = admin.api
  const paid = await stage.claim(person, { amount_cents: 2900 })
  const { version } = await review.approve(paid)
  await review.reverse({ id: paid.id, version, text: 'It was another’s' })
  const part = await stage.claim(person, { amount_cents: 3300 })
  const text = 'Without the fee'
  await review.approve({ ...part, amount_cents: 3000, text })
  await person.api.claims.appeal({ id: part.id, text: 'With the fee', receipt_ids: [] })
}

async function answersTo(chosen: typeof acts) {
  const answers: Record<string, unknown> = {}
  for (const { act, endpoint } of chosen) {
    const request = toRequest(endpoint, 'http://127.0.0.1', inputOf({ act, endpoint }, own, values))
    request.headers.set('authorization', `Bearer ${one.token}`)
    const answer = await scene.services.app.request(request)
    assert.equal(answer.status, 200, act)
    answers[act] = await answer.json()
  }
  return answers
}

/** The fields in which two answers differ: `claims[].note`. */
function differ(one: unknown, other: unknown, path = ''): string[] {
  if (Object.is(one, other)) return []
  const [is, was] = [one, other].map((value) => value !== null && typeof value === 'object')
  if (!is || !was) return [path]
  const names = new Set([...Object.keys(one as object), ...Object.keys(other as object)])
  return [...names].flatMap((name) => {
    const below = Array.isArray(one) ? `${path}[]` : path ? `${path}.${name}` : name
    return differ(one![name as never], other![name as never], below)
  })
}

test('each right is answered what all of them are', async () => {
  const all = await answersTo(acts)
  await scene.sql`alter table company_rights disable trigger user` // the record stays as it is
  const found: Record<string, Set<string>> = {}
  for (const right of rights) {
    await scene.sql`update company_rights
      set ended_at = case when kind <> ${right} then now() end where person_id = ${one.id}`
    const answers = await answersTo(acts.filter(({ act }) => mayAsk(act, right)))
    for (const [act, answer] of Object.entries(answers))
      for (const field of differ(answer, all[act])) (found[act] ??= new Set()).add(field)
  }
  assert.deepEqual(
    Object.fromEntries(Object.entries(found).map(([act, fields]) => [act, [...fields].toSorted()])),
    differences,
  )
})
