// A name reads as it is, whichever way it comes in.
import assert from 'node:assert/strict'
import { test } from 'node:test'
import type { Tx } from './db.server.ts'
import { keyOf } from '../../test/world/keys.ts'
import { opened } from '../../test/world/opened.ts'
import { openedScene } from '../../test/world/scene.ts'
import { providerOf } from '../../test/world/scim.ts'
import { name_max, nameLine, oneLine } from './one-line.ts'

const scene = openedScene()
const acme = opened(() => scene.company())
const ana = opened(() => acme.hire('Ana'))
const boss = opened(() => scene.superAdmin())

/** Shown as it is, it would be Priya Png over two lines. */
const odd = ' \u202Egn\u200bP\u202C\r\n\u2067ayirP\ufeff\t'
const kept = 'gnP ayirP'
const unseen = [
  '\u200b\u200b',
  '\u3164\u3164',
  '\ufeff\u{e0041}',
  '\u00ad-\u00ad',
  '\u2028\n\u00a0',
]

const nameOf = async (id: string) => {
  const [row] = await scene.sql<{ full_name: string }[]>`
    select full_name from profiles where id = ${id}`
  return row?.full_name
}
const by_name = (sentence: string) => ({
  code: 'invalid_input',
  fields: { full_name: [sentence] },
})
const too_short = by_name('Name must be at least 2 characters')

/** Only letters that every PostgreSQL knows as such: later ones depend on its library. */
test('of every character the database keeps what the forms keep', async () => {
  const stretches = [
    [0x1, 0x530],
    [0x590, 0x5eb],
    [0x600, 0x700],
    [0x1100, 0x1200],
    [0x1680, 0x1690],
    [0x1780, 0x1810],
    [0x2000, 0x2c00],
    [0x3000, 0x312f],
    [0x3131, 0x3190],
    [0xac00, 0xac10],
    [0xfe00, 0x10000],
    [0x1f3f4, 0x1f3f5],
    [0xe0000, 0xe0080],
  ] as const
  const names = stretches.flatMap(([from, to]) =>
    Array.from({ length: to - from }, (_, more) => String.fromCodePoint(from + more)).flatMap(
      (character) => [character, `a${character}b`],
    ),
  )
  const rows = await scene.sql<{ name: string; line: string; as_name: string }[]>`
    select name, one_line(name) as line, name_line(name) as as_name
    from unnest(${names}::text[]) name`
  assert.equal(rows.length, names.length)
  const different = rows.filter(
    ({ name, line, as_name }) => oneLine(name) !== line || nameLine(name) !== as_name,
  )
  assert.deepEqual(
    different.map(({ name }) => name.codePointAt(name.length > 2 ? 1 : 0)?.toString(16)),
    [],
  )
})

test('a view may be named by a sign alone, people and companies not', async () => {
  for (const name of ['★', '📷', '–', '☎\ufe0f']) assert.equal(oneLine(name), name)
  for (const name of ['\ufe0f', '\u200d', '\u200f \u061c']) assert.equal(oneLine(name), '')
  const { views, employees } = acme.admin.api
  const view = await views.save({ page: 'claims', name: '★', filters: { sort: '-amount' } })
  assert.equal(view.name, '★')
  const sign = { full_name: '★★', email: `star@${acme.domain}`, department: 'Sales' }
  await assert.rejects(employees.add(sign), too_short)
  const { id } = await scene.signUp('star@eve.test', 'employee', { full_name: '★★' })
  assert.equal(await nameOf(id), 'star')
})

test('what languages need stays', () => {
  for (const name of [
    'نمی\u200cخواهم',
    '\u200fעברית\u200e',
    'क्\u200dष',
    '👩\u200d🔬 Ada',
    '李明',
    '3',
  ]) {
    assert.equal(oneLine(name), name)
  }
  assert.equal(oneLine(odd), kept)
  for (const name of unseen) assert.equal(nameLine(name), '')
})

test('a stranger who signs up is shown as they are called', async () => {
  const more = { company_name: `Evil\r\n\r\nBcc: ${odd}` }
  const eve = await scene.signUp('eve@eve.test', 'company_admin', { full_name: odd, ...more })
  const me = await eve.api.users.me({})
  assert.deepEqual([me.full_name, me.company?.name], [kept, `Evil Bcc: ${kept}`])
  for (const [at, name] of unseen.entries()) {
    const { id } = await scene.signUp(`someone${at}@eve.test`, 'employee', { full_name: name })
    assert.equal(await nameOf(id), `someone${at}`)
  }
  const named = (full_name: unknown) => ({ full_name }) as Record<string, string>
  for (const [at, value] of [{ a: 1 }, 123, ['Ann'], true].entries()) {
    const { id } = await scene.signUp(`other${at}@eve.test`, 'employee', named(value))
    assert.equal(await nameOf(id), `other${at}`)
  }
  assert.equal(
    await nameOf((await scene.signUp('__@eve.test', 'employee', named(1))).id),
    'Unnamed',
  )
})

test('an account of another service is called as much of its name as forms take', async () => {
  const about = { full_name: 'x'.repeat(150), company_name: 'y'.repeat(150) }
  await scene.sql`insert into auth.users (email, raw_user_meta_data)
    values ('long@eve.test', ${scene.sql.json(about)})`
  const [made] = await scene.sql<{ full_name: string; requested_company: string }[]>`
    select full_name, requested_company from profiles where email = 'long@eve.test'`
  assert.deepEqual(
    [made?.full_name, made?.requested_company],
    ['x'.repeat(name_max), 'y'.repeat(name_max)],
  )
})

test('people, companies and keys are named by their admins on one line', async () => {
  const { employees } = acme.admin.api
  const someone = { full_name: odd, email: `odd@${acme.domain}`, department: 'R\r\n&\u202e D' }
  const { employee: added } = await employees.add(someone)
  assert.deepEqual([added.full_name, added.department], [kept, 'R & D'])
  for (const full_name of unseen) {
    await assert.rejects(
      employees.add({ ...someone, email: `x@${acme.domain}`, full_name }),
      too_short,
    )
  }
  assert.equal(
    (await keyOf(scene, acme.admin, ['people:read'], { name: 'k1\r\n\r\nURGENT' })).name,
    'k1 URGENT',
  )
  const { companies } = boss.api
  const company = await companies.add({
    name: 'Long\r\nName',
    currency: 'EUR',
    time_zone: 'UTC',
    admin_name: odd,
    admin_email: 'admin@long.test',
  })
  assert.equal(company.name, 'Long Name')
  const provider = await providerOf(scene, await scene.company({ name: 'Scim' }))
  const { displayName } = await provider.add('Cem Kaya', { displayName: odd })
  assert.equal(displayName, kept)
})

test('nobody names themselves or their family after nothing', async () => {
  const { settings, dependents } = ana.api
  const { version } = await settings.profile({})
  const renamed = await settings.change_profile({ version, full_name: odd })
  assert.equal(renamed.full_name, kept)
  const child = { relationship: 'child', born_on: '2019-04-12' } as const
  assert.equal(
    (await dependents.add({ ...child, full_name: 'A\r\nBcc: x@y.z' })).full_name,
    'A Bcc: x@y.z',
  )
  for (const full_name of unseen) {
    const again = { version: renamed.version, full_name }
    await assert.rejects(settings.change_profile(again), too_short)
    await assert.rejects(dependents.add({ ...child, full_name }), too_short)
  }
})

test('nor does straight SQL', async () => {
  const rename = (name: string) => (tx: Tx) =>
    tx`update profiles set full_name = ${name} where id = ${ana.id}`
  await scene.straight(ana, rename(odd))
  assert.equal(await nameOf(ana.id), kept)
  await assert.rejects(scene.straight(ana, rename('\u200b\u200b')), /profiles_full_name_check/)
  await scene.sql`update companies set name = ${`Acme\n${odd}`} where id = ${acme.id}`
  const [company] = await scene.sql`select name from companies where id = ${acme.id}`
  assert.equal(company?.['name'], `Acme ${kept}`)
  const [file] = await scene.straight(acme.admin, async (tx) => {
    const [opened] = await tx<[{ id: string }]>`select open_import(${`${odd}\r\n.csv`}) as id`
    return tx`select file_name from imports where id = ${opened.id}`
  })
  assert.equal(file?.['file_name'], `${kept} .csv`)
})

test('a text of several lines keeps them, and reads as it was written', async () => {
  const note = { id: ana.id, text: 'One\r\n\t\u202eTwo\u202c\u0007' }
  const [written] = await acme.admin.api.employees.add_note(note)
  assert.equal(written?.text, 'One\r\n\tTwo')
  const broken = acme.admin.api.employees.add_note({ ...note, text: 'A\ud800b' })
  await assert.rejects(broken, {
    code: 'invalid_input',
    fields: { text: ['Please remove the broken character'] },
  })
})
