// The demo world is planned for its day: for every day of more than two years there is a plan the product takes.
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { aurora } from '../demo/companies.ts'
import { planOf } from '../demo/play.ts'
import { faultsOf } from '../demo/rules.ts'

const first = Date.parse('2026-11-01')
const day_ms = 86_400_000
const days = 740
/** In New York it is still yesterday until 04:00 or 05:00. */
const hours = ['00:01', '04:30', '12:00', '23:59']
const moments = Array.from({ length: days }, (_, at) => {
  const day = new Date(first + at * day_ms).toISOString().slice(0, 10)
  return new Date(`${day}T${hours[at % hours.length]}:00Z`)
})

test('each day has a plan of which the product refuses nothing, and which is a year of life', () => {
  for (const moment of moments) {
    const plan = planOf(moment)
    const when = moment.toISOString()
    assert.deepEqual(faultsOf(plan, moment), [], when)
    const count = (name: string) => plan.deeds.filter(({ what }) => what.name === name).length
    assert.equal(count('book'), 40, when)
    assert.equal(count('found'), 12, when)
    assert.deepEqual([count('open_year'), count('close_year')], [1, 1], when)
    const claims = plan.deeds.filter((d) => d.company === aurora && d.what.name === 'submit')
    assert.ok(claims.length > 300, `${when}: ${claims.length} claims`)
    const [earliest] = claims.map(({ on }) => on).toSorted()
    const long = Date.parse(plan.today) - Date.parse(earliest!)
    assert.ok(long > 250 * day_ms, `${when}: since ${earliest}`)
  }
})

test('the hard moments are among the planned ones, at every hour', () => {
  for (const day of [
    '2027-01-01',
    '2027-01-04',
    '2028-02-29',
    '2027-01-31',
    '2026-12-31',
    '2027-03-28',
  ])
    for (const hour of hours) {
      const moment = new Date(`${day}T${hour}:00Z`)
      assert.deepEqual(faultsOf(planOf(moment), moment), [], moment.toISOString())
    }
})

test('the same moment has the same plan', () => {
  const moment = new Date('2027-05-05T12:00:00Z')
  const deedsJson = () => JSON.stringify(planOf(moment).deeds)
  assert.equal(deedsJson(), deedsJson())
})
