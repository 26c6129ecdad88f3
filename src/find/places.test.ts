import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import { pageAt } from '#paths.ts'
import { Role } from '#users/users.contract.ts'
import { placesFor, placesNamed } from './places.ts'

const everybody = [
  ...Role.options.map((role) => ({ role, has_own: false })),
  { role: 'company_admin', has_own: true } as const,
]

describe('where one can go by typing', () => {
  test('is a page that the role may open, once, for everybody', () => {
    for (const who of everybody) {
      const places = placesFor(who)
      assert.equal(new Set(places.map(({ to }) => to)).size, places.length)
      for (const { to } of places) {
        const open_to = pageAt(to.replace(/[?#].*/, ''))?.open_to
        assert.ok(Array.isArray(open_to), to)
        assert.ok(open_to.includes(who.role) || (who.has_own && open_to.includes('employee')), to)
      }
    }
  })

  test('is found by the beginnings of its words, whatever their order, case and accents', () => {
    const places = placesFor({ role: 'company_admin', has_own: false })
    const named = (typed: string) => placesNamed(typed, places).map(({ title }) => title)
    assert.deepEqual(named('ADD emp'), ['Add Employee'])
    assert.deepEqual(named('emp ádd'), ['Add Employee'])
    assert.equal(named('claim')[0], 'Claims')
    assert.deepEqual(named('excel'), ['Import employees'])
    assert.deepEqual(named('xyz'), [])
    assert.equal(named('').length, places.length)
  })

  test('an own fund comes with its acts, and only for who has one', () => {
    const titles = (has_own: boolean) =>
      placesFor({ role: 'company_admin', has_own }).map(({ title }) => title)
    for (const own of ['New claim', 'My Fund', 'My Money']) {
      assert.ok(titles(true).includes(own), own)
      assert.ok(!titles(false).includes(own), own)
    }
  })
})
