// Days that people ask for, in every question that has one; and days that are the company's own.
import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import { z } from 'zod'
import { contracts } from '#contracts.ts'
import { daysAfter } from '#lib/days.ts'
import { start } from '#lib/transactions.server.ts'
import { keepYearsOf } from '#funds/jobs.server.ts'
import type { Person } from './world/people.ts'
import { openedScene } from './world/scene.ts'

const outside = ['0001-01-01', '1899-12-31', '2201-01-01', '9999-12-31']

/** A field, or those within it. */
function eachOf([name, shape]: [string, z.ZodType]): [string, z.ZodType][] {
  if (shape instanceof z.ZodArray) return eachOf([name, shape.element as z.ZodType])
  if (shape instanceof z.ZodUnion)
    return (shape.options as z.ZodType[]).flatMap((one) => eachOf([name, one]))
  return shape instanceof z.ZodObject
    ? Object.entries<z.ZodType>(shape.shape).flatMap(([inner, one]) =>
        eachOf([`${name}.${inner}`, one]),
      )
    : [[name, shape]]
}

test('every day in a question of every act lies between 1900 and 2200', () => {
  let count = 0
  for (const [feature, contract] of Object.entries(contracts))
    for (const [act, { input }] of Object.entries(contract))
      for (const [name, shape] of Object.entries<z.ZodType>(input.shape).flatMap(eachOf)) {
        const drawn = z.toJSONSchema(shape, { io: 'input', unrepresentable: 'any' })
        if (!JSON.stringify(drawn).includes('"format":"date"')) continue
        count += 1
        const where = `${feature}.${act}: ${name}`
        for (const day of outside) assert.equal(shape.safeParse(day).success, false, where)
        assert.ok(shape.safeParse('2028-02-29').success, where)
      }
  assert.ok(count > 20, `${count}`)
})

describe('days and what follows of them', () => {
  const scene = openedScene()

  /** Asks as a stranger's program would, without the client's checks. */
  async function ask(who: Person, method: string, address: string, body?: object) {
    const answer = await scene.services.app.request(address, {
      method,
      headers: { authorization: `Bearer ${who.token}`, 'content-type': 'application/json' },
      ...(body ? { body: JSON.stringify(body) } : {}),
    })
    const text = await answer.text()
    return { status: answer.status, text }
  }

  test('days outside and what no database keeps are refused beside their field, nothing is written', async () => {
    const provider = await scene.superAdmin()
    const { admin, id } = await scene.company()
    const {
      plan_year: _,
      ends_on: __,
      closed: ___,
      has_money,
      ...plan
    } = await admin.api.funds.plan({})
    assert.equal(has_money, false)
    const slots = { provider_id: id, from_on: '9999-12-31', to_on: '9999-12-31' }
    const times = { weekdays: [5], from_time: '20:00', to_time: '22:00', minutes: 30, capacity: 1 }
    const years = () => scene.sql`select count(*)::int as n from plan_years`
    const had = await years()
    const refused: [field: string, Promise<{ status: number; text: string }>][] = [
      ...['0001-01-01', '2200-01-02', '9999-01-02', '9999-12-31'].map(
        (starts_on): [string, ReturnType<typeof ask>] => [
          'starts_on',
          ask(admin, 'POST', '/api/funds/years', { ...plan, starts_on }),
        ],
      ),
      ['from', ask(admin, 'GET', '/api/audit?from=0001-01-01')],
      ['to', ask(admin, 'GET', '/api/audit.csv?to=9999-12-31')],
      ['from_on', ask(provider, 'POST', '/api/health-checks/slots', { ...slots, ...times })],
      [
        'from_on',
        ask(provider, 'POST', '/api/health-checks/slots/preview', { ...slots, ...times }),
      ],
      ['search', ask(provider, 'GET', '/api/companies?search=%00')],
      ['search', ask(admin, 'GET', '/api/employees?search=a%00b')],
    ]
    for (const [field, input] of refused) {
      const { status, text } = await input
      const { code, fields } = JSON.parse(text) as {
        code: string
        fields: Record<string, string[]>
      }
      assert.deepEqual([status, code], [422, 'invalid_input'], text)
      assert.ok(fields[field]?.[0], text)
    }
    assert.deepEqual([...(await years())], [...had])
  })

  test('the first fault of a transaction is the one that is told', async () => {
    const failing = scene.services.transactions.run(undefined, async (tx) => {
      void start(tx`select ${'no uuid'}::text::uuid`)
      await tx`select 1` // says only that something failed before it
    })
    await assert.rejects(failing, { code: '22P02' })
  })

  test('a joining day after the last day, or more than a year ahead, is refused beside it', async () => {
    const { admin, hire, id: company } = await scene.company()
    const ana = await hire('Ana')
    const { employees } = admin.api
    const found = await employees.find({ id: ana.id })
    const [{ today }] = await scene.sql<
      [{ today: string }]
    >`select company_today(${company}) as today`
    const gone = await employees.leave({
      id: ana.id,
      version: found.version,
      left_on: daysAfter(today, 20),
    })
    const edit = ({ version, joined_on }: { version: number; joined_on: string }) => {
      const { full_name, department } = found
      return employees.edit({
        id: ana.id,
        version,
        full_name,
        department: department ?? 'Sales',
        joined_on,
      })
    }
    const refuses = async (code: string, joined_on: string, version: number) =>
      assert.rejects(edit({ version, joined_on }), (problem: { code: string; fields: object }) => {
        assert.equal(problem.code, code)
        assert.deepEqual(Object.keys(problem.fields), ['joined_on'])
        return true
      })
    await refuses('employment_ends_before_it_begins', daysAfter(today, 21), gone.version)
    const stays = await employees.stay({ id: ana.id, version: gone.version })
    await refuses('joins_too_far_ahead', daysAfter(today, 367), stays.version)
    await refuses('invalid_input', '9999-12-31', stays.version)
    assert.equal((await employees.find({ id: ana.id })).joined_on, found.joined_on)
    const moved = await edit({ version: stays.version, joined_on: daysAfter(today, 365) })
    assert.equal(moved.joined_on, daysAfter(today, 365))
  })

  test('who joins after a plan year has ended is due nothing of it, however it is prorated', async () => {
    const { admin, hire, id: company } = await scene.company()
    const ana = await hire('Ana')
    const { plan_year, ends_on } = await admin.api.funds.plan({})
    const days = [-30, 0].map((n) => daysAfter(plan_year, n))
    days.push(ends_on, daysAfter(ends_on, 1), daysAfter(ends_on, 366))
    const due = async (proration: string) =>
      Promise.all(
        days.map(async (day) => {
          const [row] = await scene.sql<[{ due: number }]>`
            select grant_due(jsonb_populate_record(y, ${scene.sql.json({ proration })}),
              'treatment', ${day}, 0) as due
            from plan_years y where company_id = ${company} and starts_on = ${plan_year}`
          return row.due
        }),
      )
    const length = (Date.parse(ends_on) - Date.parse(plan_year)) / 86_400_000 + 1
    assert.deepEqual(await due('full'), [70_000, 70_000, 70_000, 0, 0])
    assert.deepEqual(await due('month'), [70_000, 70_000, Math.round(70_000 / 12), 0, 0])
    assert.deepEqual(await due('day'), [70_000, 70_000, Math.round(70_000 / length), 0, 0])
    for (const proration of ['full', 'month', 'day']) {
      await scene.sql`update plan_years set proration = ${proration} where company_id = ${company}`
      await scene.sql`update profiles set joined_on = ${daysAfter(ends_on, 40)} where id = ${ana.id}`
      const dues =
        await scene.sql`select distinct due_cents from grants where person_id = ${ana.id}`
      assert.deepEqual([...dues], [{ due_cents: 0 }], proration)
      await scene.sql`update profiles set joined_on = ${plan_year} where id = ${ana.id}`
    }
  })

  test('the day of joining is the company’s own, wherever the server stands', async () => {
    const far = await Promise.all(
      ['Pacific/Kiritimati', 'Pacific/Pago_Pago'].map(async (zone) => {
        const company = await scene.company()
        await scene.sql`update companies set time_zone = ${zone} where id = ${company.id}`
        const person = await company.hire()
        const [row] = await scene.sql<[{ joined_on: string; today: string }]>`
          select p.joined_on, company_today(p.company_id) as today from profiles p
          where id = ${person.id}`
        return row
      }),
    )
    for (const { joined_on, today } of far) assert.equal(joined_on, today)
    assert.notEqual(far[0]!.joined_on, far[1]!.joined_on) // they are 25 hours apart
  })

  test('the end of a year enrolls nobody in the next who is not an active employee', async () => {
    const { admin, hire, id: company } = await scene.company()
    const [stays, suspended, promoted] = [await hire(), await hire(), await hire()]
    const { ends_on } = await admin.api.funds.plan({})
    const next = daysAfter(ends_on, 1)
    await admin.api.employees.suspend({ id: suspended.id })
    await scene.sql`update profiles set role = 'company_admin' where id = ${promoted.id}`
    await keepYearsOf(scene.sql, company, daysAfter(ends_on, 91))
    const enrolled = await scene.sql<{ person_id: string }[]>`
      select distinct person_id from grants where company_id = ${company} and plan_year = ${next}`
    assert.deepEqual(
      enrolled.map(({ person_id }) => person_id),
      [stays.id],
    )
  })
})
