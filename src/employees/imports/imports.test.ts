// Promises of the bulk upload: looked through first, taken in the background, taken back while nobody came.
import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import { lost, refuses, type Company } from '../../../test/world/people.ts'
import { opened } from '../../../test/world/opened.ts'
import { openedScene } from '../../../test/world/scene.ts'
import type { Import } from './imports.contract.ts'
import { inviteImported, workOnImport } from '#employees/jobs.server.ts'
import { until } from '../../../test/until.ts'
import { findingText } from './finding-words.ts'

const scene = openedScene({ worker: true })
const acme = opened(() => scene.company({ name: 'Acme' }))
const other = opened(() => scene.company({ name: 'Other' }))

const upload = (text: string | Uint8Array<ArrayBuffer>, company = acme) =>
  company.admin.api.imports.upload({ file_name: 'people.csv' }, { file: new Blob([text]) })

const finished = (id: string, company = acme): Promise<Import> =>
  until(async () => {
    const found = await company.admin.api.imports.find({ id })
    return (found.status === 'done' || found.status === 'undone') && found
  }, 'the import is done, or taken back')

const people = (count: number, domain: string, from = 0) =>
  Array.from(
    { length: count },
    (_, at) => `Person ${from + at},p${from + at}@${domain},,Sales`,
  ).join('\n')

describe('a company that nobody activated', () => {
  test('can’t write to strangers by a file, and takes in its own', async () => {
    const fresh = await scene.company({ name: 'Fresh', status: 'pending' })
    const own = `p0@${fresh.domain}`
    const found = await upload(`name,email\nOwn One,${own}\n${people(3, 'bigcorp.example')}`, fresh)
    assert.deepEqual([found.fresh, found.invalid], [1, 3])
    const { rows } = await fresh.admin.api.imports.rows({ id: found.id })
    assert.equal(rows[0]!.reason, 'outside_own_domain')
    await fresh.admin.api.imports.start({ id: found.id })
    assert.equal((await finished(found.id, fresh)).taken, 1)
    const known = await scene.sql<{ email: string }[]>`
      select email from auth.users where email like '%@bigcorp.example' or email = ${own}`
    assert.deepEqual(
      known.map(({ email }) => email),
      [own],
    )
    const more = await upload(`name,email\n${people(500, fresh.domain, 1)}`, fresh)
    await refuses('added_enough_today', fresh.admin.api.imports.start({ id: more.id }))
  })
})

describe('the dry run', () => {
  test('says of each row what would become of it, and changes nobody', async () => {
    await acme.hire('Here')
    await other.hire('There')
    const before_it = await acme.admin.api.employees.summary({})
    const found = await upload(
      [
        '\uFEFFEMAIL;Full_Name;Phone;Department;Extra\r\n',
        'ana@a.test;Ana Horvat;+385 91 234 5678;Sales;x\r\n',
        'ANA@a.test;Ana Again;;Sales\r\n',
        `here@${acme.domain};Here;;Sales\r\n`,
        `there@${other.domain};There;;Sales\r\n`,
        ';No Email;;\r\n',
        'noname@a.test;;;\r\n',
        'nope;B;12;X\r\n',
        '"ivo@a.test";"Ivo ""Ivo"" Ivić; Jr.";;\r\n',
        'f@a.test;=cmd|calc;;Sales\r\n',
      ].join(''),
    )
    assert.deepEqual(found.unused_columns, ['Extra'])
    const { rows, fresh, duplicate, here, address_taken, skipped, invalid, status } = found
    assert.deepEqual(
      { rows, fresh, duplicate, here, address_taken, skipped, invalid, status },
      {
        rows: 9,
        fresh: 2,
        duplicate: 1,
        here: 1,
        address_taken: 1,
        skipped: 2,
        invalid: 2,
        status: 'checked',
      },
    )
    assert.deepEqual(await acme.admin.api.employees.summary({}), before_it)
    const listed = await acme.admin.api.imports.rows({ id: found.id })
    assert.deepEqual(
      listed.rows.map(({ line, finding, reason }) => [line, finding, reason]),
      [
        [3, 'duplicate', null],
        [4, 'here', null],
        [5, 'address_taken', null],
        [6, 'skipped', null],
        [7, 'skipped', null],
        [8, 'invalid', 'full_name email phone department'],
        [10, 'invalid', 'formula'],
      ],
    )
    assert.equal(
      findingText(listed.rows[5]!),
      'Name must be at least 2 characters. Invalid email address. ' +
        'Phone must be at least 10 characters. Department required',
    )
    assert.equal(
      findingText({ ...listed.rows[5]!, reason: 'As it was told once' }),
      'As it was told once',
    )
    const file = await acme.admin.api.imports.rejected({ id: found.id })
    assert.equal(file.name, 'people-not-imported.csv')
    const rejected = await file.text()
    assert.equal(rejected.trim().split('\r\n').length, 8)
    assert.doesNotMatch(rejected, /Other/)
    assert.match(rejected, /'=cmd/)
    await refuses('not_found', other.admin.api.imports.find({ id: found.id }))
    await refuses('not_found', other.admin.api.imports.rows({ id: found.id }))
    await refuses('not_found', other.admin.api.imports.start({ id: found.id }))
    await refuses('not_found', other.admin.api.imports.undo({ id: found.id }))
    await refuses('not_found', other.admin.api.imports.rejected({ id: found.id }))
    await refuses('not_found', other.admin.api.imports.discard({ id: found.id }))
    assert.equal((await acme.admin.api.imports.find({ id: found.id })).rows, 9)
    await acme.admin.api.imports.discard({ id: found.id })
    await refuses('not_found', acme.admin.api.imports.find({ id: found.id }))
  })

  test('reads Excel’s “Unicode text”, and columns as Germans name them', async () => {
    const text =
      '\uFEFFName\tE-Mail\tTelefon\tAbteilung\r\nZoë Öztürk\tzoe@tabs.test\t+49 30 1234567\tVertrieb\r\n'
    const found = await upload(Uint8Array.from(Buffer.from(text, 'utf16le')))
    assert.equal(found.fresh, 1)
    await acme.admin.api.imports.discard({ id: found.id })
  })

  test('refuses a file as a whole, each for its own reason, and leaves nothing behind', async () => {
    await refuses('csv_columns_missing', upload(''))
    await refuses('csv_columns_missing', upload('first,last\nAna,Horvat\n'))
    await refuses('csv_columns_missing', upload(`${'a,'.repeat(10_000_000)}\nx\n`))
    await refuses('csv_empty', upload('name,email,phone,department\r\n\r\n'))
    const mixed = Uint8Array.from(Buffer.from('name,email\nÄ\xc3\xa9 \xe9,a@a.test\n', 'latin1'))
    await refuses('csv_not_utf8', upload(mixed.with(11, 0x41))) // UTF-8, and then not any more
    const workbook = Uint8Array.from(Buffer.from('PK\x03\x04 name,email\nAna,a@a.test\n', 'latin1'))
    await refuses('workbook_broken', upload(workbook))
    await refuses('workbook_old', upload(Uint8Array.from([0xd0, 0xcf, 0x11, 0xe0, 0xa1, 0xb1])))
    const odd = Uint8Array.from([0xff, 0xfe, 0x00, 0xd8, 0x41, 0x00]) // half of a character
    await refuses('csv_not_utf8', upload(odd))
    assert.equal((await scene.sql`select from imports where status = 'reading'`).length, 0)
    await refuses('forbidden', (await acme.hire('Emp')).api.imports.list({}))
  })

  test('a row of ten megabytes, or a quote never closed, is a row with a reason', async () => {
    const { id, fresh, invalid } = await upload(
      `name,email\n${'x'.repeat(10_000_000)},a@a.test\nOk Row,okrow@a.test\n"open,b@a.test\nc,c@a.test\n`,
    )
    assert.deepEqual([fresh, invalid], [1, 2])
    const { rows } = await acme.admin.api.imports.rows({ id })
    assert.deepEqual(
      rows.map(({ reason }) => reason),
      ['too_long', 'open_quote'],
    )
  })
})

describe('taking', () => {
  test('adds the new people, invites them by mail, and can be taken back while nobody came', async () => {
    const { id } = await upload(`name,email,phone,department\n${people(1500, 'batch.test')}`)
    const presses = await Promise.allSettled(
      [1, 2, 3].map(() => acme.admin.api.imports.start({ id })),
    )
    assert.deepEqual(lost(presses), ['import_not_ready', 'import_not_ready'])
    const done = await finished(id)
    assert.deepEqual([done.taken, done.done], [1500, 1500])
    const { employees } = await acme.admin.api.employees.list({ search: 'p77@batch' })
    assert.deepEqual([employees[0]?.account_state, employees[0]?.department], ['pending', 'Sales'])
    await until(
      async () => (await scene.mailbox()).find(({ to }) => to.endsWith('@batch.test')),
      'a letter',
    )

    await acme.admin.api.imports.undo({ id })
    const undone = await finished(id)
    assert.deepEqual([undone.status, undone.taken, undone.kept], ['undone', 0, 0])
    assert.equal((await acme.admin.api.employees.list({ search: '@batch.test' })).total, 0)
    const left = await scene.sql`select from auth.users where email like '%@batch.test'`
    assert.equal(left.length, 0)
  })

  test('is not taken back once somebody came', async () => {
    const { id } = await upload(`name,email\n${people(3, 'came.test')}`)
    await acme.admin.api.imports.start({ id })
    await finished(id)
    const refusal = async () => (await acme.admin.api.imports.find({ id })).refusals.undo
    assert.equal(await refusal(), null)
    await scene.sql`update auth.users set email_confirmed_at = now() where email = 'p1@came.test'`
    assert.equal(await refusal(), 'import_in_use')
    await refuses('import_in_use', acme.admin.api.imports.undo({ id }))
  })

  test('whoever is added meanwhile, here or elsewhere, is left alone', async () => {
    const { id } = await upload(`name,email,phone,department\n${people(50, 'meanwhile.test')}`)
    const add = (company: Company, email: string) =>
      company.admin.api.employees.add({ full_name: 'Quick', email, department: 'Ops' })
    await add(acme, 'p3@meanwhile.test')
    await add(other, 'p4@meanwhile.test')
    await acme.admin.api.imports.start({ id })
    assert.equal((await finished(id)).taken, 48)
    const { rows } = await acme.admin.api.imports.rows({ id })
    assert.deepEqual(
      rows.map(({ email, finding }) => [email, finding]),
      [
        ['p3@meanwhile.test', 'here'],
        ['p4@meanwhile.test', 'address_taken'],
      ],
    )
  })

  test('two workers at once take nobody twice, and a killed one’s work goes on', async () => {
    const { id } = await upload(`name,email,phone,department\n${people(900, 'killed.test')}`)
    // An import after its server was killed behind the first batch: no job, and no progress.
    await scene.sql`update imports set status = 'importing', started_by = ${acme.admin.id}
      where id = ${id}`
    await scene.sql`select private.import_batch(${acme.id}, ${id}, 100)`
    assert.equal((await acme.admin.api.imports.find({ id })).taken, 100)
    // The schedule may run from here on, and see that the import stands still.
    await scene.sql`update imports set touched_at = now() - interval '5 minutes' where id = ${id}`
    await scene.sql`select private.resume_imports()`
    const batches = [1, 2, 3].map(
      () => scene.sql`select private.import_batch(${acme.id}, ${id}, 100)`,
    )
    await Promise.all(batches)
    assert.equal((await finished(id)).taken, 900)
    assert.equal((await acme.admin.api.employees.list({ search: '@killed.test' })).total, 900)
  })

  test('who had an account that belonged nowhere is taken with it, and stays', async () => {
    const lost = await scene.signUp('lost@drift.test', 'employee')
    const { id } = await upload('name,email\nLost Person,lost@drift.test\nOther,other@drift.test')
    await acme.admin.api.imports.start({ id })
    assert.equal((await finished(id)).taken, 2)
    assert.equal((await lost.api.users.me({})).waiting_for, null)
    await acme.admin.api.imports.undo({ id })
    const undone = await finished(id)
    assert.deepEqual([undone.taken, undone.kept], [1, 1])
    assert.equal((await lost.api.users.me({})).waiting_for, null)
  })

  test('a worker that is ended leaves the rest of a file to another', async () => {
    const { id } = await upload(`name,email\n${people(30, 'ended.test')}`)
    await scene.sql`update imports set status = 'importing', started_by = ${acme.admin.id}
      where id = ${id}`
    const tools = { ...scene.tools, ending: AbortSignal.abort() }
    await workOnImport({ company_id: acme.id, id }, tools)
    assert.equal((await finished(id)).taken, 30)
  })

  test('whoever is killed between two mails leaves nobody without one', async () => {
    const { id } = await upload(`name,email\n${people(50, 'letters.test')}`)
    await scene.sql`update imports set status = 'importing', started_by = ${acme.admin.id}
      where id = ${id}`
    const job = { company_id: acme.id, id }
    // The import runs and its job is deleted before the scene's own worker sees it: the mails are written by hand.
    await scene.sql.begin(async (tx) => {
      await tx`select private.import_batch(${acme.id}, ${id}, 50), private.import_batch(${acme.id}, ${id}, 50)`
      await tx`delete from graphile_worker._private_jobs where key = ${`invite ${id}`}`
    })
    assert.equal((await acme.admin.api.imports.find({ id })).status, 'done')
    const written = new Set<string>()
    const killed = inviteImported(async (person) => {
      if (written.size === 33) throw new Error('killed')
      written.add(person)
    })
    await assert.rejects(async () => killed(job, scene.tools), /killed/)
    const [left] = await scene.sql`select person_id from import_rows
      where import_id = ${id} and line = (select max(line) from import_rows where import_id = ${id})`
    await scene.sql`delete from auth.users where id = ${left!['person_id']}`
    const again = inviteImported(async (person) => void written.add(person))
    await Promise.all([again(job, scene.tools), again(job, scene.tools)])
    const invited = await scene.sql`select from profiles
      where id = any (${[...written]}::uuid[]) and invited_at is not null`
    assert.equal(written.size, 49)
    assert.equal(invited.length, 49)
    const more = new Set<string>()
    await inviteImported(async (person) => void more.add(person))(job, scene.tools)
    assert.equal(more.size, 0)
  })
})
