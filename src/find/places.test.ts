import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import { admin_rights, isOpenTo } from '#permissions/callers.ts'
import { pageAt } from '#paths.ts'
import { CompanyRight } from '#users/rights.contract.ts'
import { placesFor, placesNamed } from './places.ts'

const admin = { role: 'company_admin', has_own: false, rights: [...admin_rights] } as const
const everybody = [
  { role: 'super_admin', has_own: false, rights: [] } as const,
  { role: 'employee', has_own: false, rights: [] } as const,
  admin,
  { ...admin, has_own: true },
  ...CompanyRight.options.map((right) => ({ ...admin, rights: [right] })),
]

describe('where one can go by typing', () => {
  test('is a page that the role may open, once, for everybody', () => {
    for (const who of everybody) {
      const places = placesFor(who)
      assert.equal(new Set(places.map(({ to }) => to)).size, places.length)
      for (const { to } of places) {
        const open_to = pageAt(to.replace(/[?#].*/, ''))?.open_to
        assert.ok(Array.isArray(open_to), to)
        assert.ok(isOpenTo(open_to, who), to)
      }
    }
  })

  test('is found by the beginnings of its words, whatever their order, case and accents', () => {
    const places = placesFor(admin)
    const named = (typed: string) => placesNamed(typed, places).map(({ title }) => title)
    assert.deepEqual(named('ADD emp'), ['Add Employee'])
    assert.deepEqual(named('emp ádd'), ['Add Employee'])
    assert.equal(named('claim')[0], 'Claims')
    assert.deepEqual(named('excel'), ['Import employees'])
    assert.equal(named('group')[0], 'Groups')
    assert.deepEqual(named('manager'), ['Employees', 'Claim policy'])
    assert.deepEqual(named('xyz'), [])
    assert.equal(named('').length, places.length)
  })

  test('leads who has one right to nothing of the others', () => {
    const titles = (right: CompanyRight) =>
      placesFor({ ...admin, rights: [right] }).map(({ title }) => title)
    assert.ok(titles('finance').includes('Payouts'))
    for (const other of ['Employees', 'Claims', 'Audit', 'Connections', 'Add Employee'])
      assert.ok(!titles('finance').includes(other), other)
    assert.ok(!titles('viewer').includes('Funds'))
  })

  test('an own fund comes with its acts, and only for who has one', () => {
    const titles = (has_own: boolean) => placesFor({ ...admin, has_own }).map(({ title }) => title)
    for (const word of ['iban', 'bank']) {
      const [first] = placesNamed(word, placesFor({ ...admin, has_own: true }))
      assert.equal(first?.title, 'Bank account')
    }
    for (const own of ['New claim', 'My Fund', 'My Money']) {
      assert.ok(titles(true).includes(own), own)
      assert.ok(!titles(false).includes(own), own)
    }
  })
})
