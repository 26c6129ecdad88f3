// Medical content is for reviewers alone: every answer that each other right opens, files and notices among them, is
// searched for what was written, read and named.
import assert from 'node:assert/strict'
import { before, describe, test } from 'node:test'
import { isOpenTo } from '#permissions/callers.ts'
import { contracts } from '#contracts.ts'
import { toRequest, type Endpoint } from '#lib/contract.ts'
import { callers } from '#policy.ts'
import { CompanyRight } from '#users/rights.contract.ts'
import { daysAfter } from '#lib/days.ts'
import { fields } from './act-ids.ts'
import { accounts, wage_types } from './book-files.ts'
import { belongingsOf, type Belongings } from './world/one-of-each.ts'
import type { Person } from './world/people.ts'
import { withRights } from './world/rights.ts'
import { openedScene } from './world/scene.ts'
import { sampleOf } from './samples.ts'

const rights = CompanyRight.options.filter((right) => right !== 'reviewer')

/** A word in all that people and HR wrote about treatments, in values read from receipts and in file names. */
const written = 'Zyxwort'
/** The company's name of a kind of treatment: those who write its policy read it there, of nobody. */
const type_name = 'Qeurtz therapy'
/** An appointment: who keeps the slots knows who has one. */
const booked = 'Vombly'
const allowed: Record<string, readonly string[]> = {
  [type_name]: ['policies.current', 'policies.history', 'policies.types'],
  [booked]: ['health_checks.providers', 'health_checks.slots', 'health_checks.day_list'],
}

/** The answers that are none, where there is nothing of their own. */
const without: Record<string, string> = {
  'privacy.download_export': 'not_found',
}

type CompanyAct = { act: string; endpoint: Endpoint; who: readonly CompanyRight[] }
const reads = Object.entries(contracts).flatMap(([feature, contract]) =>
  Object.entries(contract as Record<string, Endpoint>).flatMap(([name, endpoint]): CompanyAct[] => {
    const act = `${feature}.${name}`
    const open_to = callers[act as keyof typeof callers]
    if (endpoint.method !== 'GET' || endpoint.kind === 'stream' || typeof open_to === 'string')
      return []
    const may = (right: CompanyRight) =>
      isOpenTo(open_to, { role: 'company_admin', rights: [right], has_own: false })
    const who = rights.filter(may)
    return who.length > 0 ? [{ act, endpoint, who }] : []
  }),
)

describe('without the right to review', () => {
  const scene = openedScene()
  let own: Belongings
  const people = {} as Record<CompanyRight, Person>

  before(async () => {
    own = await belongingsOf(scene, 'Ana')
    for (const right of rights) people[right] = await withRights(scene, own.stage.company, right)
    await live(own)
  })

  /** Renames without the record of changes: the company's own word for a treatment says nothing about anybody. */
  const renamed = (table: string, column: string, name: string, id: string) =>
    scene.sql.begin(async (tx) => {
      await tx`alter table ${tx(table)} disable trigger user`
      await tx`update ${tx(table)} set ${tx(column)} = ${name} where id = ${id}`
      await tx`alter table ${tx(table)} enable trigger user`
    })

  /** A year of claims in which every word tells of a treatment. */
  async function live({ stage, person, admin, ids }: Belongings) {
    const { claims } = person.api
    const { review, payouts, books } = admin.api
    await renamed('claim_types', 'name', type_name, String(ids.type))
    await renamed('check_providers', 'offers', `${booked} screening`, String(ids.provider))
    await books.change_codes({ ...wage_types, ...accounts })
    const claim_input = {
      type_id: String(ids.type),
      provider: `${written} Clinic`,
      note: `${written} again`,
    }
    const paid = await stage.agreeing(person, { ...claim_input, amount_cents: 3100 })
    const run = await payouts.make({ cut_off_on: stage.today, pay_on: stage.today })
    ids.run = (await people.finance.api.payouts.release(run)).id
    await scene.sql`update receipts set file_name = ${`${written}.pdf`} where company_id = ${stage.id}`
    const in_question = await stage.claim(person, { ...claim_input, amount_cents: 2200 })
    await review.ask({ ...in_question, text: `Was it ${written}?` })
    await claims.answer({ id: in_question.id, text: `Yes, ${written}.` })
    const refused = await stage.claim(person, { ...claim_input, amount_cents: 2300 })
    await review.reject({ ...refused, reason: 'not_covered', text: `No ${written} here.` })
    await scene.notifyDecisions()
    await claims.appeal({ id: refused.id, text: `My ${written} was needed.` })
    const part = await stage.claim(person, { ...claim_input, amount_cents: 2400 })
    await review.approve({ ...part, amount_cents: 1000, text: `Half of ${written}.` })
    const back = await review.find({ id: paid.id })
    await review.reverse({ id: paid.id, version: back.version, text: `${written} was another’s.` })
    await scene.notifyDecisions()
  }

  /** Everything of the year that there is, and of the one thing where it asks for one. */
  function inputOf({ act, endpoint }: CompanyAct) {
    const input = sampleOf(endpoint.input)
    for (const { act: of, path, kind } of fields)
      if (of === act && kind && path in input)
        input[path] = path === 'ids' ? String(own.ids[kind]) : own.ids[kind]
    const { today } = own.stage
    for (const [name, day] of Object.entries({
      from_on: today,
      to_on: daysAfter(today, 30),
      day: today,
    }))
      if (name in input) input[name] = day
    return input
  }

  const found = (text: string, act: string) =>
    [written, type_name, booked].filter(
      (word) => text.includes(word) && !allowed[word]?.includes(act),
    )

  for (const one of reads)
    test(one.act, async () => {
      for (const right of one.who) {
        const request = toRequest(one.endpoint, 'http://127.0.0.1', inputOf(one))
        request.headers.set('authorization', `Bearer ${people[right].token}`)
        const answer = await scene.services.app.request(request)
        const text = await answer.text()
        const code = answer.ok ? undefined : (JSON.parse(text) as { code: string }).code
        assert.equal(code, without[one.act], `${right}: ${text}`)
        assert.deepEqual(found(text, one.act), [], `${right}: ${text}`)
      }
    })

  test('a reviewer reads all of it, so it is there to be found', async () => {
    const text = JSON.stringify(await own.admin.api.review.queue({}))
    assert.deepEqual([text.includes(written), text.includes(type_name)], [true, true])
  })
})
