// A report's three files, opened as the programs they are for would.
import assert from 'node:assert/strict'
import { after } from 'node:test'
import readXlsxFile from 'read-excel-file/node'
import { CsvReader } from '#lib/csv.ts'
import { makeLog } from '#lib/log.server.ts'
import { linesIn, withPdf } from '#receipts/pdf.server.ts'
import { makeReport } from '#reports/jobs.server.ts'
import { drawingWorkers } from '#reports/render.server.ts'
import type { Report, ReportKind } from '#reports/reports.contract.ts'
import { amount } from '#reports/show.ts'
import type { Person } from './world/people.ts'
import type { Scene } from './world/scene.ts'

export type Tables = Record<string, string[][]>

/** Makes reports at once; those of a file are drawn by one process, which takes longer to start than to draw. */
export function reportMaker(scene: Scene) {
  const log = makeLog('fatal')
  const drawings = drawingWorkers(log)
  after(() => drawings.close())
  return async (
    boss: Person,
    report_input: { kind: ReportKind; from: string; to: string; company_id?: string },
  ): Promise<Report> => {
    const { id } = await boss.api.reports.generate(report_input)
    await makeReport(drawings)({ id }, { sql: scene.sql, log })
    const report = (await boss.api.reports.list({})).reports.find((one) => one.id === id)
    assert.ok(report)
    assert.equal(report.fault, null)
    assert.equal(report.status, 'ready')
    return report
  }
}

/** The sheets of the CSV, each with its head first. */
export async function csvTables({ api }: Person, id: string): Promise<Tables> {
  const text = await (await api.reports.file({ id, format: 'csv' })).text()
  const reader = new CsvReader()
  const rows = [...reader.read(text), ...reader.end()].map(({ cells }) => cells)
  const tables: Tables = {}
  let name = ''
  for (const cells of rows) {
    if (cells.length === 1) tables[(name = cells[0]!)] = []
    else if (name) tables[name]!.push(cells)
  }
  return tables
}

/** The cell of the row that begins with these words, under this title. */
export function cellOf(tables: Tables, sheet: string, row: string[], title: string): string {
  const [head, ...rows] = tables[sheet]!
  const column = head!.indexOf(title)
  assert.ok(column >= 0, `${sheet} has no column ${title}: ${head!.join(', ')}`)
  const found = rows.find((cells) => row.every((word, at) => cells[at] === word))
  assert.ok(found, `${sheet} has no row ${row.join(', ')}`)
  return found[column]!
}

export async function pdfOfReport({ api }: Person, id: string) {
  const file = await api.reports.file({ id, format: 'pdf' })
  return readPdf(new Uint8Array(await file.arrayBuffer()))
}

export const readPdf = (bytes: Uint8Array) =>
  withPdf(bytes, async (pdf) => {
    const pages = pdf.getPageCount()
    const lines = linesIn(pdf, pages).map(({ text }) => text)
    return { text: lines.join(' ').replace(/\s+/g, ' '), pages }
  })

/** Cell by cell: the workbook says what the CSV says, and the pages show it. */
export async function filesAgree(boss: Person, report: Report, tables: Tables) {
  const file = await boss.api.reports.file({ id: report.id, format: 'xlsx' })
  const book = Buffer.from(await file.arrayBuffer())
  assert.equal(book.byteLength, report.xlsx_bytes)
  const sheets = await readXlsxFile(book)
  assert.deepEqual(
    sheets.map(({ sheet }) => sheet),
    ['Summary', ...Object.keys(tables)],
  )
  const { text, pages } = await pdfOfReport(boss, report.id)
  assert.ok(text.includes(`1 / ${pages}`), `the feet count ${pages} pages`)
  for (const [name, [head, ...rows]] of Object.entries(tables)) {
    const sheet = sheets.find(({ sheet }) => sheet === name)!.data
    assert.equal(sheet.length, rows.length + 1, name)
    assert.ok(text.includes(name), `${name} is not in the PDF`)
    for (const [at, cells] of rows.entries()) {
      for (const [column, cell] of cells.entries()) {
        const where = `${name}, row ${at + 1}, ${head![column]}`
        sameCell(sheet[at + 1]![column] ?? '', cell, head![column]!.endsWith(', %'), where)
        if (/^\d+\.\d\d$/.test(cell) && cells[0] === 'EUR') {
          const written = amount({ cents: Math.round(Number(cell) * 100), currency: 'EUR' })
          assert.ok(text.includes(written), `${where}: ${written} is not in the PDF`)
        }
      }
    }
  }
}

function sameCell(xlsx_value: unknown, cell: string, is_share: boolean, where: string) {
  if (xlsx_value instanceof Date) {
    assert.equal(xlsx_value.toISOString().slice(0, cell.length), cell, where)
  } else if (typeof xlsx_value === 'number') {
    const value = is_share ? xlsx_value * 100 : xlsx_value
    assert.ok(Math.abs(value - Number(cell)) < 1e-9, `${where}: ${value} and ${cell}`)
  } else assert.equal(String(xlsx_value), cell, where)
}
