// The same provider, as the rules compare names and as the database compares one that is blacked out.
import assert from 'node:assert/strict'
import { test } from 'node:test'
import * as fc from 'fast-check'
import { randomSeed } from '../../../test/random.ts'
import { openedScene } from '../../../test/world/scene.ts'
import { legal_forms, sameProvider } from './provider.ts'

const seed = randomSeed()
const scene = openedScene()

/** The first name is read from a receipt and blacked out there, the second typed. */
async function sameByMarks(pairs: (readonly [string, string])[]): Promise<boolean[]> {
  const found = await scene.sql<{ same: boolean }[]>`
    select private.same_provider(private.provider_marks(p ->> 0), p ->> 1) as same
      from json_array_elements(${JSON.stringify(pairs)}::json) with ordinality as e (p, at)
      order by at`
  return found.map(({ same }) => same)
}

const names: [read: string, typed: string, same: boolean][] = [
  ['HARBOUR CLINIC LTD.', 'Harbour Clinic', true],
  ['dr muller gmbh', 'Dr. Müller', true],
  ['Dr. Ana', 'Ana', true],
  ['POLIKLINIKA SIBENIK', 'Poliklinika Šibenik d.o.o.', true],
  ['Weiß AG', 'WEISS', true],
  ['Łódź Øre', 'lodz ore', true],
  ['Κλινική Αθηνών', 'κλινικη αθηνων', true],
  ['Klinik am Ort', 'Klinik am See', true],
  ['Apotheke am Markt', 'Apotheke', true],
  ['GmbH', 'GmbH', true],
  ['', '', true],
  ['Corner Bakery', 'Harbour Clinic', false],
  ['Dr. Maier', 'Dr. Müller', false],
  ['City Gym', 'City Hospital', false],
  ['Zahnarzt in Ulm', 'Zahnarzt am See', false],
  ['Mia Li', 'Mia Lu', false],
  ['Harbour Clinic', '', false],
  ['GmbH', 'AG', false],
]

test('a name is the same provider’s to the rules and to the database', async () => {
  const expected = names.map(([, , same]) => same)
  const ruled = names.map(([read, typed]) => sameProvider(read, typed))
  assert.deepEqual(ruled, expected)
  assert.deepEqual(await sameByMarks(names.map(([read, typed]) => [read, typed])), expected)
})

test('misread letters are forgiven by the rules alone: the marks of a blacked-out name must be equal', async () => {
  assert.ok(sameProvider('Apotheke Narkt', 'Apotheke Markt'))
  assert.ok(sameProvider('Harbor', 'Harbour'))
  assert.deepEqual(await sameByMarks([['Harbor', 'Harbour']]), [false])
})

test('both know the same legal forms, which name nobody', async () => {
  const [kept] = await scene.sql<[{ forms: string[] }]>`select private.legal_forms() as forms`
  assert.deepEqual(new Set(kept.forms), legal_forms)
})

test('of any two names, however they are put together, both say the same', async () => {
  // None of these is a misreading of another.
  const word = fc.constantFrom(
    'Ana',
    'Li',
    'Klinik',
    'am',
    'See',
    'Müller',
    'Apotheke',
    '24',
    'Ulm',
  )
  const name = fc
    .array(fc.oneof(word, fc.constantFrom(...legal_forms)), { maxLength: 5 })
    .chain((words) => fc.constantFrom(' ', ', ', '-').map((between) => words.join(between)))
  const pairs = fc.sample(fc.tuple(name, name), { numRuns: 2000, seed })
  const same = await sameByMarks(pairs)
  pairs.forEach(([read, typed], at) =>
    assert.equal(same[at], sameProvider(read, typed), `${read} | ${typed}`),
  )
})
