// An absence that ends before its last day: the work goes back, and both sides hear of it.
import assert from 'node:assert/strict'
import { before, test } from 'node:test'
import { keepPeople } from '#employees/jobs.server.ts'
import { daysAfter } from '#lib/days.ts'
import { fundedCompany, type FundedCompany } from '../../test/world/company.ts'
import type { Person } from '../../test/world/people.ts'
import { openedScene } from '../../test/world/scene.ts'
import { unreadInWords, titlesOf } from '../../test/world/notices.ts'

const scene = openedScene()
let acme: FundedCompany
let helena: Person
let matthias: Person
let ida: Person
before(async () => {
  acme = await fundedCompany(scene)
  helena = acme.company.admin
  matthias = await acme.admin('Matthias')
  ida = await acme.admin('Ida')
})

/** An absence whose deputy and admins have heard that it began. */
async function begun(days: Promise<{ id: string }>) {
  const { id } = await days
  await keepPeople({}, scene.tools)
  assert.deepEqual(await titlesOf(ida), ['You are standing in for a colleague'])
  for (const person of [helena, matthias]) await unreadInWords(person)
  return { id }
}
const away = (from = 0) =>
  matthias.api.absences.add({
    from_on: daysAfter(acme.today, from),
    to_on: daysAfter(acme.today, 7),
    deputy_id: ida.id,
  })
const ill = () => ({
  person_id: matthias.id,
  from_on: acme.today,
  to_on: daysAfter(acme.today, 7),
  deputy_id: ida.id,
})

test('the deputy hears that they stand in no longer', async () => {
  await matthias.api.absences.end(await begun(away()))
  assert.deepEqual(await unreadInWords(ida), [
    {
      title: 'You are no longer standing in for a colleague',
      sentence: 'Matthias is back earlier than planned and has their own work again.',
    },
  ])
  assert.deepEqual(await titlesOf(matthias), [], 'they did it')
})

test('who was away hears of it, too, where another admin or the provider ended it', async () => {
  const { enter, end } = acme.provider.api.absences
  for (const [add, over] of [
    [() => helena.api.absences.add(ill()), helena.api.absences.end],
    [() => enter({ company_id: acme.id, ...ill() }), end],
  ] as const) {
    await over(await begun(add()))
    assert.deepEqual(await titlesOf(ida), ['You are no longer standing in for a colleague'])
    assert.deepEqual(await titlesOf(matthias), ['Your work is back with you'])
  }
})

test('of one that had not begun, or that they end themselves, who stands in hears nothing', async () => {
  await matthias.api.absences.end(await away(3))
  const of_matthias = await begun(helena.api.absences.add(ill()))
  await ida.api.absences.add({ from_on: acme.today, to_on: acme.today, deputy_id: helena.id })
  await helena.api.absences.end(of_matthias)
  assert.deepEqual([await titlesOf(helena), await titlesOf(ida)], [[], []])
})
