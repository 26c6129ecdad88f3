// Lists of SCIM: filters, sorting, pages, what is asked for of each, and how much two thousand cost.
import assert from 'node:assert/strict'
import { before, describe, test } from 'node:test'
import type { Company } from '../../../test/world/people.ts'
import { openedScene } from '../../../test/world/scene.ts'
import { eachReadsBelow, rowsReadBy } from '../../../test/rows-read.ts'
import type { JsonBody } from '../../../test/auth-service.ts'
import {
  enterprise,
  newUser,
  providerOf,
  assertScimRefused,
  type ScimProvider,
} from '../../../test/world/scim.ts'

const scene = openedScene()
const people_tables = ['profiles', 'scim_people']
let acme: Company
let provider: ScimProvider
before(async () => {
  acme = await scene.company()
  provider = await providerOf(scene, acme)
  const department = (name: string) => ({ [enterprise]: { department: name } })
  await provider.add('Ana Horvat', { externalId: 'A1', ...department('Sales') })
  await provider.add('Ben Kovač', { externalId: 'B1', ...department('Finance') })
  await provider.add('Cid O’Neil', { active: false, phoneNumbers: [{ value: '0123456789' }] })
})

const find = (filter: string, more = '') =>
  provider.ask('GET', `/Users?filter=${encodeURIComponent(filter)}${more}`)
const namesOf = ({ body }: { body: JsonBody }): string[] =>
  body['Resources'].map(({ displayName }: { displayName: string }) => displayName)

describe('a filter', () => {
  const cases: [string, string[]][] = [
    [`userName eq "ANA.HORVAT@DOMAIN"`, ['Ana Horvat']],
    [`externalId eq "A1"`, ['Ana Horvat']],
    [`externalId eq "a1"`, []],
    [`emails.value co "kov"`, ['Ben Kovač']],
    [`emails[type eq "work" and value sw "ben."]`, ['Ben Kovač']],
    [`emails[type eq "home"]`, []],
    [`displayName sw "ana" or displayName ew "KOVAČ"`, ['Ana Horvat', 'Ben Kovač']],
    [`active eq false`, ['Cid O’Neil']],
    [`active eq "False"`, ['Cid O’Neil']],
    [`externalId pr`, ['Ana Horvat', 'Ben Kovač']],
    [`phoneNumbers pr`, ['Cid O’Neil']],
    [`externalId pr and not (displayName co "Ben")`, ['Ana Horvat']],
    [
      `(displayName co "ana" or displayName co "ben") and ${enterprise}:department eq "sales"`,
      ['Ana Horvat'],
    ],
    [`urn:ietf:params:scim:schemas:core:2.0:User:userName sw "ana"`, ['Ana Horvat']],
    [`name.familyName gt "H" and name.familyName lt "I"`, ['Ana Horvat']],
    [`name.familyName ge "Kovač" and externalId ne null`, ['Ben Kovač']],
    [`meta.lastModified gt "2020-01-01T00:00:00Z" and externalId pr`, ['Ana Horvat', 'Ben Kovač']],
    [`meta.lastModified lt "2020-01-01T00:00:00.000+02:00"`, []],
    [`displayName eq "Cid O’Neil"`, ['Cid O’Neil']],
  ]
  for (const [filter, expected] of cases) {
    test(filter, async () => {
      const answer = await find(filter.replace('DOMAIN', acme.domain))
      assert.equal(answer.status, 200, JSON.stringify(answer.body))
      assert.deepEqual(namesOf(answer).toSorted(), expected)
    })
  }

  test('binds “and” closer than “or”, as RFC 7644 says', async () => {
    const answer = await find(`displayName co "ana" or displayName co "ben" and active eq false`)
    assert.deepEqual(namesOf(answer), ['Ana Horvat'])
  })

  const wrong = [
    'userName',
    'userName eq',
    'userName eq "x',
    'userName eq x',
    'userName is "x"',
    'nothing eq "x"',
    'constructor eq "x"',
    '__proto__ pr',
    'password eq "x"',
    'active gt true',
    'meta.created eq "yesterday"',
    '(userName pr',
    'userName pr)',
    'emails[type eq "work"',
    'emails[emails[type pr]]',
    'not userName pr',
    `userName eq "x'; drop table profiles; --"; drop`,
    `userName eq 1 or 1=1`,
  ]
  for (const filter of wrong) {
    test(`is refused: ${filter}`, async () =>
      assertScimRefused(await find(filter), 400, 'invalidFilter'))
  }

  test('with SQL in its values finds nobody and does nothing', async () => {
    for (const filter of [
      `' or true --`,
      `%`,
      `_`,
      `\\\\`,
      `x\\u0000y`,
      `$1`,
      `"; delete from profiles`,
    ]) {
      const answer = await find(`userName eq ${JSON.stringify(filter)}`)
      assert.ok(
        answer.status === 200 ? answer.body['totalResults'] === 0 : answer.status === 400,
        filter,
      )
    }
    assert.equal((await find(`displayName co "%"`)).body['totalResults'], 0)
    assert.equal((await find('externalId pr')).body['totalResults'], 2)
  })

  test('that is huge or deep is refused before anybody is read', async () => {
    const refused = [
      Array(60).fill('userName eq "x"').join(' or '),
      `userName eq "${'x'.repeat(3000)}"`,
      `${'('.repeat(500)}userName pr${')'.repeat(500)}`,
      `${'not ('.repeat(40)}userName pr${')'.repeat(40)}`,
      `userName eq "${'\\"'.repeat(900_000)}"`,
    ]
    const ask = async (filter: string) =>
      assertScimRefused(
        await provider.ask('POST', '/Users/.search', { filter }),
        400,
        'invalidFilter',
      )
    const usual = await rowsReadBy(scene, people_tables, [() => ask('userName')])
    await eachReadsBelow(scene, people_tables, usual + 1, ask, refused)
    assertScimRefused(await find(refused[0]!), 400, 'invalidFilter')
  })
})

describe('a list', () => {
  test('is sorted as requested, and refuses to be sorted by an unknown attribute', async () => {
    const by = (sort: string) => find('externalId pr', `&sortBy=${sort}`)
    assert.deepEqual(namesOf(await by('displayName')), ['Ana Horvat', 'Ben Kovač'])
    const down = await by('name.familyName&sortOrder=descending')
    assert.deepEqual(namesOf(down), ['Ben Kovač', 'Ana Horvat'])
    assertScimRefused(await by('nothing'), 400, 'invalidPath')
  })

  test('shows what was asked for, and never less than the id', async () => {
    const { body } = await find('externalId eq "A1"', '&attributes=userName,name.familyName')
    const [one] = body['Resources']
    assert.deepEqual(Object.keys(one).toSorted(), ['id', 'name', 'schemas', 'userName'])
    assert.deepEqual(one.name, { familyName: 'Horvat' })
    const without = await find('externalId eq "A1"', '&excludedAttributes=emails,name.givenName,id')
    const [other] = without.body['Resources']
    assert.equal(other.emails, undefined)
    assert.deepEqual(other.name, { familyName: 'Horvat' })
    assert.equal(other.id, one.id)
    const extension = await find('externalId eq "A1"', `&attributes=${enterprise}:department`)
    assert.deepEqual(extension.body['Resources'][0][enterprise], { department: 'Sales' })
  })

  test('can be requested by a search, too, so that no filter stands in an address', async () => {
    const answer = await provider.ask('POST', '/Users/.search', {
      schemas: ['urn:ietf:params:scim:api:messages:2.0:SearchRequest'],
      filter: 'externalId pr',
      attributes: ['displayName'],
      sortBy: 'displayName',
      startIndex: 2,
      count: 1,
    })
    assert.deepEqual(namesOf(answer), ['Ben Kovač'])
    assert.deepEqual([answer.body['totalResults'], answer.body['startIndex']], [2, 2])
  })

  test('of everything has people, then groups, over one count of pages', async () => {
    for (const displayName of ['Everything one', 'Everything two'])
      await provider.ask('POST', '/Groups', { displayName })
    const search = (body: object) => provider.ask('POST', '/.search', body)
    const all = await search({ filter: 'externalId pr or displayName sw "everything"' })
    assert.deepEqual([all.body['totalResults'], all.body['itemsPerPage']], [4, 4])
    const filter = 'externalId pr or displayName sw "everything"'
    const middle = await search({ filter, startIndex: 2, count: 2, sortBy: 'displayName' })
    assert.deepEqual(namesOf(middle), ['Ben Kovač', 'Everything one'])
    const last = await search({ filter, startIndex: 4, count: 2, sortBy: 'displayName' })
    assert.deepEqual(namesOf(last), ['Everything two'])
    const people = await search({ filter: 'userName sw "ana"' })
    assert.deepEqual(namesOf(people), ['Ana Horvat'])
    assertScimRefused(await search({ filter: 'nothing pr' }), 400, 'invalidFilter')
  })

  test('goes on beyond its end without an error, and by nonsense from its beginning', async () => {
    const page = async (query: string) => {
      const { status, body } = await provider.ask('GET', `/Users?${query}`)
      assert.equal(status, 200)
      return [body['startIndex'], body['itemsPerPage'], body['totalResults'] >= 3]
    }
    assert.deepEqual(await page('startIndex=999&count=10'), [999, 0, true])
    assert.deepEqual(await page('startIndex=1e300'), [2_000_000_001, 0, true])
    assert.deepEqual(await page('startIndex=-5&count=1'), [1, 1, true])
    assert.deepEqual(await page('startIndex=x&count=0'), [1, 0, true])
    assert.deepEqual(await page('count=-3'), [1, 0, true])
  })

  test('of two thousand is read page by page, each person once, and no query per person', async () => {
    const big = await scene.company({ name: 'Big' })
    const { ask } = await providerOf(scene, big)
    await scene.sql`select count(*) from private.add_people(${big.id}, 'employee',
      array(select row('p' || n || '@' || ${big.domain}::text, 'Person ' || n, null,
        'Sales')::private.newcomer from generate_series(1, 2000) n), null)`
    await scene.sql`analyze profiles`
    const ids = new Set<string>()
    const page = async (from: number) => {
      const { body } = await ask('GET', `/Users?startIndex=${from}&count=100`)
      assert.equal(body['totalResults'], 2001)
      for (const { id } of body['Resources']) ids.add(id)
    }
    const pages = Array.from({ length: 21 }, (_, at) => 1 + at * 100)
    // Each page counts all people and sorts all people, and reads nobody a third time.
    await eachReadsBelow(scene, people_tables, 2.5 * 2001, page, pages)
    assert.equal(ids.size, 2001)
  })

  test('never has the provider’s people, who only ask, or another company’s', async () => {
    const other = await scene.company({ name: 'Other' })
    const theirs = await other.hire('Theirs')
    const staff = await scene.superAdmin()
    await scene.sql`update companies set domain_auto_register = false where id = ${acme.id}`
    const asks = await scene.signUp(`asks@${acme.domain}`, 'employee')
    const { body } = await provider.ask('GET', '/Users?count=200')
    const ids = body['Resources'].map(({ id }: { id: string }) => id)
    for (const { id } of [theirs, staff, asks]) {
      assert.ok(!ids.includes(id))
      assertScimRefused(await provider.ask('GET', `/Users/${id}`), 404)
    }
    assert.ok(ids.includes(acme.admin.id))
    const taken = await provider.ask('POST', '/Users', newUser(acme, 'asks'))
    assert.equal(taken.body['id'], asks.id, 'who asks is taken in')
  })
})
