// Files for payroll and books as their programs read them, and the codes that a company gives.
import assert from 'node:assert/strict'
import { CsvReader } from '#lib/csv.ts'
import type { Codes } from '#books/books.contract.ts'

export const wage_types: Codes = {
  wage_prevention: '4711',
  wage_treatment: '4712',
  wage_solidarity: '4713',
  wage_correction: '4719',
}
export const accounts: Codes = {
  expense_prevention: '4130',
  expense_treatment: '4131',
  expense_solidarity: '4132',
  write_off: '2400',
  payable: '1740',
  bank: '1200',
  payroll: '1755',
  transit: '1360',
}
export const datev: Codes = { datev_consultant: '1001', datev_client: '42' }

/** Rows by their column’s name; the first row has the names. */
export async function readCsv(file: Blob) {
  const text = new TextDecoder('utf-8').decode(await file.arrayBuffer())
  const reader = new CsvReader()
  const [head, ...rows] = [...reader.read(text), ...reader.end()].map(({ cells }) => cells)
  return rows.map((cells) => {
    assert.equal(cells.length, head!.length)
    return Object.fromEntries(head!.map((name, at) => [name, cells[at]!]))
  })
}

export const cents = (amount: string) => {
  assert.match(amount, /^-?\d+\.\d\d$/)
  return Math.round(Number(amount) * 100)
}
export const sum = (amounts: readonly number[]) => amounts.reduce((all, one) => all + one, 0)

/** A Buchungsstapel as DATEV reads it: quotes say text, semicolons part, a comma stands before the decimals. */
export async function readExtf(file: Blob) {
  const bytes = new Uint8Array(await file.arrayBuffer())
  const text = new TextDecoder('windows-1252').decode(bytes)
  assert.ok(text.endsWith('\r\n'))
  const lines = text.slice(0, -2).split('\r\n')
  assert.ok(lines.every((line) => !/[\r\n]/.test(line)))
  const [head, names, ...rows] = lines.map(cellsOf)
  assert.equal(head!.length, 31)
  assert.deepEqual(head!.slice(0, 5), ['"EXTF"', '700', '21', '"Buchungsstapel"', '13'])
  assert.match(head![5]!, /^20\d{15}$/)
  assert.equal(names!.length, 125)
  const [first, last] = [head![14]!, head![15]!]
  const postings = rows.map((cells) => {
    assert.equal(cells.length, 125)
    const [amount, side, currency] = [cells[0]!, cells[1]!, cells[2]!]
    assert.match(amount, /^\d{1,10},\d\d$/)
    assert.equal(side, '"S"')
    assert.match(currency, /^"[A-Z]{3}"$/)
    assert.match(cells[6]!, /^\d{1,9}$/)
    assert.match(cells[7]!, /^\d{1,9}$/)
    assert.match(cells[9]!, /^\d{4}$/)
    const on = `${cells[9]!.slice(2)}${cells[9]!.slice(0, 2)}`
    assert.ok(on >= first.slice(4) && on <= last.slice(4), 'within the batch')
    assert.match(cells[10]!, /^"[A-Za-z0-9$&%*+\-/]{1,36}"$/)
    const label = cells[13]!.slice(1, -1).replaceAll('""', '"')
    assert.ok(label.length <= 60)
    return {
      cents: Number(amount.replace(',', '')),
      debit: cells[6]!,
      credit: cells[7]!,
      on: cells[9]!,
      document: cells[10]!.slice(1, -1),
      text: label,
    }
  })
  return { head: head!, names: names!, postings }
}

/** Cells as they stand, quotes included. */
function cellsOf(line: string): string[] {
  const cells = line.match(/("([^"]|"")*"|[^;"]*)(;|$)/g) ?? []
  assert.equal(cells.join(''), line, line)
  const whole = line.endsWith(';') ? cells : cells.slice(0, -1)
  return whole.map((cell) => cell.replace(/;$/, ''))
}
