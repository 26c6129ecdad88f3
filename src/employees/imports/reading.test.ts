// Promises of reading files of people: whatever program wrote them, whatever their columns are called.
import assert from 'node:assert/strict'
import { before, describe, test } from 'node:test'
import writeXlsxFile from 'write-excel-file/node'
import { zipSync } from 'fflate'
import { makeLog } from '#lib/log.server.ts'
import { refuses, type Company } from '../../../test/world/people.ts'
import { openedScene } from '../../../test/world/scene.ts'
import { columnsFault, matchColumns } from './columns.ts'
import { openRows, workbookWorkers } from './rows.server.ts'
import { Letters } from './text.server.ts'

describe('letters', () => {
  const text = 'Name,Email\r\nZoë Öztürk – Łukasz,z@a.test\r\n'
  const western = 'Name,Email\r\nZoë Öztürk – €,z@a.test\r\n'
  const all = (bytes: Uint8Array, cut: number, encoding?: 'windows-1250') => {
    const letters = new Letters(encoding)
    const read = letters.read(bytes.subarray(0, cut)) + letters.read(bytes.subarray(cut))
    return [read + letters.end(), letters.encoding]
  }
  const utf16be = (value: string) => Uint8Array.from(Buffer.from(value, 'utf16le').swap16())
  const one_byte = (value: string, codes: Record<string, number>) =>
    Uint8Array.from(Array.from(value, (character) => codes[character] ?? character.codePointAt(0)!))
  const cases: [string, Uint8Array, string, 'windows-1250'?][] = [
    ['utf-8', Buffer.from(text), text],
    ['utf-8', Buffer.from(`\uFEFF${text}`), text],
    ['utf-8', Buffer.from(`\uFEFF${text}`), text, 'windows-1250'],
    ['utf-8', Buffer.from('Name,Email\n'), 'Name,Email\n'],
    ['utf-16le', Buffer.from(`\uFEFF${text}`, 'utf16le'), text],
    ['utf-16le', Buffer.from(text, 'utf16le'), text],
    ['utf-16be', utf16be(`\uFEFF${text}`), text],
    ['windows-1252', one_byte(western, { '–': 0x96, '€': 0x80 }), western],
    ['windows-1250', one_byte('Name\nŁuć\n', { Ł: 0xa3, ć: 0xe6 }), 'Name\nŁuć\n', 'windows-1250'],
  ]
  for (const [encoding, bytes, expected, given_encoding] of cases) {
    test(`${encoding} is read as it was written, wherever the file is cut on its way`, () => {
      for (let cut = 0; cut <= bytes.length; cut += 1)
        assert.deepEqual(all(bytes, cut, given_encoding), [expected, encoding], `cut at ${cut}`)
    })
  }
})

describe('columns', () => {
  test('are known by their English and German names; beside a first name, a name is the last', () => {
    assert.deepEqual(matchColumns(['Pers.-Nr.', 'VORNAME', 'Name', 'E_Mail', 'Lohnart'], {}), [
      'personnel_number',
      'first_name',
      'last_name',
      'email',
      'none',
    ])
    assert.deepEqual(matchColumns(['Name', 'Email', 'Mobile', 'Telefon'], {}), [
      'full_name',
      'email',
      'phone',
      'none',
    ])
  })

  test('what the company said goes before what they are called', () => {
    const chosen = { 'kst leitung': 'email', email: 'none' } as const
    assert.deepEqual(matchColumns(['Name', 'KST-Leitung', 'Email'], chosen), [
      'full_name',
      'email',
      'none',
    ])
    assert.equal(columnsFault(['full_name', 'email', 'email']), 'columns_twice')
    assert.equal(columnsFault(['first_name', 'email']), 'csv_columns_missing')
    assert.equal(columnsFault(['first_name', 'last_name', 'email', 'none', 'none']), undefined)
  })
})

describe('a file', () => {
  const scene = openedScene()
  let acme: Company
  before(async () => {
    acme = await scene.company()
  })

  const send = (file: Uint8Array | string) =>
    acme.admin.api.imports.upload(
      { file_name: 'p' },
      { file: new Blob([Uint8Array.from(Buffer.from(file))]) },
    )
  const previewOf = (file: Uint8Array | string, input = {}) =>
    acme.admin.api.imports.look(input, { file: new Blob([Uint8Array.from(Buffer.from(file))]) })
  const kept = async (id: string) => {
    const [row] = await scene.sql`select full_name, email, department, personnel_number,
      joined_on::text from import_rows where import_id = ${id} order by line limit 1`
    return { ...row }
  }

  test('of an older Excel is read in its own letters, and says so', async () => {
    const found = await send(Buffer.from('Name;Email\nZo\xeb M\xfcller;z@old.test\n', 'latin1'))
    assert.deepEqual([found.encoding, found.fresh], ['windows-1252', 1])
    assert.equal((await kept(found.id))['full_name'], 'Zoë Müller')
  })

  test('is looked at first: nothing of it is kept, and letters that a wrong guess spoils are shown', async () => {
    const [before_it] = await scene.sql`select count(*) from import_rows`
    const lines = [
      'Nom,Courriel',
      ...Array.from({ length: 50 }, (_, at) => `A${at} Bo,b${at}@a.test`),
    ]
    const bytes = Buffer.concat([
      Buffer.from(lines.join('\n')),
      Buffer.from('\n\xa3uk Nowak,l@a.test\n', 'latin1'),
    ])
    const preview = await previewOf(bytes)
    assert.deepEqual([preview.encoding, preview.rows], ['windows-1252', 51])
    assert.deepEqual(preview.columns[0], {
      heading: 'Nom',
      field: 'none',
      samples: ['£uk Nowak', 'A0 Bo', 'A1 Bo'],
    })
    const again = await previewOf(bytes, { encoding: 'windows-1250' })
    assert.equal(again.columns[0]?.samples[0], 'Łuk Nowak')
    assert.deepEqual((await scene.sql`select count(*) from import_rows`)[0], before_it)
    await refuses('csv_columns_missing', send(bytes))
    await acme.admin.api.imports.match({
      columns: { nom: 'full_name', courriel: 'email' },
      encoding: 'windows-1250',
      date_order: 'dmy',
    })
    const found = await send(bytes)
    assert.deepEqual([found.encoding, found.fresh], ['windows-1250', 51])
    const [polish] = await scene.sql`select full_name from import_rows
      where import_id = ${found.id} and email = 'l@a.test'`
    assert.equal(polish!['full_name'], 'Łuk Nowak')
    await acme.admin.api.imports.match({ columns: {}, encoding: null, date_order: 'mdy' })
  })

  test('has its days as the company writes them, and a workbook’s are days', async () => {
    const preview = await send('name,email,start date\nAna Day,ana@day.test,04/03/2026\n')
    assert.equal((await kept(preview.id))['joined_on'], '2026-04-03')
    const german = await send('name;email;eintritt\nAna Day;ana@day.test;3.4.2026\n')
    assert.equal((await kept(german.id))['joined_on'], '2026-04-03')
    const { people } = await acme.admin.api.imports.people({ id: german.id, kind: 'fresh' })
    assert.equal(people[0]?.joined_on, '2026-04-03', 'seen before it is applied')
    const cell = (value: string) => ({ value, type: String })
    const book = await writeXlsxFile([
      ['Name', 'Email', 'Employee ID', 'Start date'].map(cell),
      [
        cell('Zoë Öztürk'),
        cell('Zoe@Book.test'),
        { value: 4711, type: Number },
        { value: new Date('2026-04-03T00:00:00Z'), type: Date, format: 'dd.mm.yyyy' },
      ],
    ] as never).toBuffer()
    const found = await send(book)
    assert.deepEqual(await kept(found.id), {
      full_name: 'Zoë Öztürk',
      email: 'zoe@book.test',
      department: null,
      personnel_number: '4711',
      joined_on: '2026-04-03',
    })
  })

  test('takes nobody whose letters are of an encoding that it can’t know', async () => {
    const dos = Buffer.from(
      'name,email\nM\x81ller Ann,dos@a.test\n"Ann\nLee",line@a.test\n',
      'latin1',
    )
    const { id } = await send(dos)
    const rows = await scene.sql`select full_name, finding, reason from import_rows
      where import_id = ${id} order by line`
    assert.deepEqual([rows[0]!['finding'], rows[0]!['reason']], ['invalid', 'odd_characters'])
    assert.deepEqual([rows[1]!['finding'], rows[1]!['full_name']], ['fresh', 'Ann Lee'])
  })

  test('refuses two columns for one field', async () => {
    await acme.admin.api.imports.match({
      columns: { a: 'email', b: 'email' },
      encoding: null,
      date_order: 'dmy',
    })
    await refuses('columns_twice', send('name,a,b\nAna Two,a@a.test,b@a.test\n'))
  })

  test('that is a bomb, or no workbook after all, ends no server', async () => {
    const bomb = zipSync({ 'xl/worksheets/sheet1.xml': new Uint8Array(400_000_000) }, { level: 9 })
    await assert.rejects(send(bomb), { code: /^workbook_(broken|too_large|too_slow)$/ })
    await refuses('workbook_broken', send(Buffer.from('PK\x03\x04 and nothing else', 'latin1')))
    await refuses(
      'workbook_too_large',
      send(Buffer.concat([Buffer.from('PK\x03\x04', 'latin1'), Buffer.alloc(17_000_000)])),
    )
    assert.ok(await acme.admin.api.imports.list({}))
  })

  test('that takes too long to read is refused as that, not as too large', async () => {
    const hurried = workbookWorkers(makeLog('fatal'), 1)
    const bytes = zipSync({ 'xl/worksheets/sheet1.xml': Buffer.from('<worksheet/>') })
    const { rows } = await openRows(new Blob([bytes]).stream(), hurried, null)
    await refuses('workbook_too_slow', rows[Symbol.asyncIterator]().next())
    hurried.close()
  })
})
