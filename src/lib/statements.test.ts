// Statements and values, as they are written and as they come back.
import assert from 'node:assert/strict'
import { after, before, describe, test } from 'node:test'
import { parts, type SqlPart, type Sql } from './db.server.ts'
import { testSql, type DatabaseWithSql } from '../../test/database.ts'

describe('statements', () => {
  let database: DatabaseWithSql
  let sql: Sql
  before(async () => {
    database = await testSql(1)
    sql = database.sql
    await sql`create table things (id int primary key, name text, tags text[], facts jsonb)`
  })
  after(() => database.drop())

  test('each type comes back as it is meant', async () => {
    const [row] =
      await sql`select 9007199254740991::bigint as most, 12.50::numeric as amount, 7::smallint as few,
      1.5::float8 as share, true as yes, null::text as nothing, date '2026-03-01' as day,
      timestamptz '2026-03-01 10:30:00.5+01' as at, '\\x00ff'::bytea as bytes, '{"a": [1]}'::jsonb as facts,
      '{1,2}'::bigint[] as ids, array[true, false] as flags, '{}'::text[] as none`
    assert.deepEqual(row, {
      most: 9007199254740991,
      amount: '12.50',
      few: 7,
      share: 1.5,
      yes: true,
      nothing: null,
      day: '2026-03-01',
      at: '2026-03-01T09:30:00.500Z',
      bytes: Buffer.from([0, 255]),
      facts: { a: [1] },
      ids: [1, 2],
      flags: [true, false],
      none: [],
    })
  })

  test('an amount that is too large to be exact is an error, and the next statement is served', async () => {
    await assert.rejects(sql`select 9007199254740993::bigint as much`, /too large to be exact/)
    assert.equal((await sql`select 1`).length, 1)
  })

  test('what is sent comes back, whatever is in it', async () => {
    const tags = ['a "b"', String.raw`c\d`, '{e,f}', 'NULL', '', 'g,\nh', null]
    const grid = [
      [1, 2],
      [3, 4],
    ]
    const [row] = await sql`select ${tags}::text[] as tags, ${grid}::int[] as grid, ${true} as yes,
      ${Buffer.from('ä')} as bytes, ${sql.json({ of: tags })} as facts, ${new Date(0)} as at,
      ${null}::int as nothing, ${2n ** 40n} as many`
    assert.deepEqual(row, {
      tags,
      grid,
      yes: true,
      bytes: Buffer.from('ä'),
      facts: { of: tags },
      at: '1970-01-01T00:00:00.000Z',
      nothing: null,
      many: 2 ** 40,
    })
  })

  test('what is no value is refused before anything is sent', async () => {
    for (const wrong of [undefined, { a: 1 }] as unknown as string[])
      await assert.rejects(sql`select ${wrong}::text as x`, TypeError)
    assert.equal((await sql`select 1`).length, 1)
  })

  test('fields of rows, names and parts stand where they are put', async () => {
    const rows = [
      { id: 1, name: 'one', tags: ['x'], facts: sql.json({}) },
      { id: 2, name: 'two', tags: [], facts: null },
    ]
    assert.equal(await sql`insert into things ${sql(rows)}`.affected(), 2)
    assert.equal(await sql`update things set ${sql({ name: 'three' })} where id = 2`.affected(), 1)
    const which = [sql`id = ${1}`, sql`or ${sql('name')} = ${'three'}`]
    const names = (more: SqlPart) =>
      sql`select ${sql('things.name')} from things where ${more} order by id`
    assert.deepEqual(await names(parts(which)), [{ name: 'one' }, { name: 'three' }])
    assert.deepEqual(await names(sql`id = 2 ${parts([])}`), [{ name: 'three' }])
    // @ts-expect-error -- an empty list would be a value
    assert.ok(sql`select ${which}`)
    await assert.rejects(sql`select ${sql({ id: 1 })}`, /Fields stand behind/)
  })

  test('a cursor gives all rows, some at a time, and may be left', async () => {
    await sql.begin(async (tx) => {
      const sizes: number[] = []
      const numbers = tx`select i from generate_series(1, ${25}) i`
      for await (const batch of numbers.cursor(10)) sizes.push(batch.length)
      assert.deepEqual(sizes, [10, 10, 5])
      for await (const batch of tx
        .unsafe('select generate_series(1, $1::int) i', [50])
        .cursor(10)) {
        assert.equal(batch.length, 10)
        break
      }
      assert.equal((await tx`select 1`).length, 1)
    })
  })

  test('a statement that failed at first is served later', async () => {
    const quotient = (id: number) =>
      sql`select name, ${id}::int / (${id}::int - 5) as n from things`
    await assert.rejects(quotient(5), { code: '22012' })
    assert.equal((await quotient(6)).length, 2)
    const missing = () => sql`select * from later`
    await assert.rejects(missing(), { code: '42P01' })
    await sql`create table later as select 1 as one`
    assert.deepEqual(await missing(), [{ one: 1 }])
    await sql`alter table later add two text default 'two'`
    await assert.rejects(missing(), { code: '0A000' })
    assert.deepEqual(await missing(), [{ one: 1, two: 'two' }])
  })

  test('of those begun in one turn of the loop, those behind one that failed fail with it', async () => {
    const connection = await sql.pool.take()
    const { tx } = connection
    const unknown = () => tx`select 'for the first time' as seen`
    const settled = await Promise.allSettled([
      tx`begin`,
      tx`insert into things (id) values (70)`,
      tx`select 1 / 0`,
      unknown(),
      tx`rollback`,
    ])
    assert.deepEqual(
      settled.map((one) => (one.status === 'rejected' ? one.reason.code : 'answered')),
      ['answered', 'answered', '22012', '25P02', 'answered'],
    )
    assert.deepEqual(await unknown(), [{ seen: 'for the first time' }])
    // Each that stands alone is a transaction by itself.
    await Promise.allSettled([tx`insert into things (id) values (71)`, tx`select 1 / 0`])
    assert.deepEqual(await tx`select id from things where id in (70, 71)`, [{ id: 71 }])
    sql.pool.give(connection)
  })

  test('of many that differ PostgreSQL keeps a thousand, and each is served', async () => {
    const connection = await sql.pool.take()
    const { tx } = connection
    const nth = async (at: number) => (await tx.unsafe(`select $1::int + ${at} as n`, [0]))[0]!['n']
    const all = Array.from({ length: 1100 }, (_, at) => at)
    for (const at of all) assert.equal(await nth(at), at)
    assert.deepEqual(await Promise.all([0, 1099, 5].map(nth)), [0, 1099, 5])
    const [kept] = await tx`select count(*) as statements from pg_prepared_statements`
    assert.equal(kept!['statements'], 1000)
    sql.pool.give(connection)
  })

  test('what PostgreSQL refuses says where in the code it was asked', async () => {
    await assert.rejects(sql`select nonsense`, ({ stack }: Error) =>
      Boolean(stack?.includes('statements.test.ts')),
    )
  })
})
