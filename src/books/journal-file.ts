// The journal as files: CSV for any books, and DATEV's EXTF 700, Buchungsstapel 13.
import { byte_order_mark, csvLine } from '#lib/csv.ts'
import { decimalsOf } from '#lib/currencies.ts'
import { decimal } from '#lib/money.ts'
import { windows1252 } from '#lib/windows-1252.ts'
import { extf_columns } from './extf-columns.ts'

export type Posting = {
  posted_on: string
  /** The day on which the money comes or goes, which may be another one. */
  value_on: string
  document: string
  text: string
  debit: string
  credit: string
  cents: number
}

const journal_columns = [
  'Record',
  'Date',
  'Document',
  'Account',
  'Contra account',
  'Debit/credit',
  'Amount',
  'Currency',
  'Text',
  'Value date',
  'Postings',
]

/** A line for each posting, from the side of its debit; then the sums of each account and of all. */
export function journalAsCsv(postings: readonly Posting[], currency: string): string {
  const sum = (record: string, account: string, of: readonly Posting[], side: 'debit' | 'credit') =>
    csvLine([record, '', '', account, '', side, total(of, currency), currency, '', '', of.length])
  const accounts = [...new Set(postings.flatMap(({ debit, credit }) => [debit, credit]))].sort()
  const sides = ['debit', 'credit'] as const
  return [
    byte_order_mark + csvLine(journal_columns),
    ...postings.map((one) =>
      csvLine([
        'posting',
        one.posted_on,
        one.document,
        one.debit,
        one.credit,
        'debit',
        decimal(one.cents, currency),
        currency,
        one.text,
        one.value_on,
        '',
      ]),
    ),
    ...accounts.flatMap((account) =>
      sides.map((side) => {
        const of = postings.filter((one) => one[side] === account)
        return sum('account', account, of, side)
      }),
    ),
    ...sides.map((side) => sum('total', '', postings, side)),
  ].join('')
}

const total = (postings: readonly Posting[], currency: string) =>
  decimal(
    postings.reduce((all, { cents }) => all + cents, 0),
    currency,
  )

export type Batch = {
  postings: readonly Posting[]
  currency: string
  /** The name of the batch, at most thirty characters. */
  title: string
  from: string
  to: string
  consultant: string
  client: string
  digits: string
  /** The month with which the financial year begins. */
  year_month: number
  made_at: string
}

/** Text in quotes, numbers and dates without, a comma before the decimals, lines as DATEV wants them. */
export function journalAsExtf(batch: Batch): Uint8Array<ArrayBuffer> {
  const lines = [
    headOf(batch),
    extf_columns.join(';'),
    ...batch.postings.map((posting) => lineOf(posting, batch.currency)),
  ]
  return windows1252(lines.map((line) => `${line}\r\n`).join(''))
}

function headOf({ consultant, client, digits, from, to, currency, ...rest }: Batch): string {
  const first = [quoted('EXTF'), 700, 21, quoted('Buchungsstapel'), 13, stamp(rest.made_at), '']
  const whose = [quoted('HF'), quoted(''), quoted(''), consultant, client]
  const year = String(
    Number(from.slice(0, 4)) - (Number(from.slice(5, 7)) < rest.year_month ? 1 : 0),
  )
  const when = [
    `${year}${String(rest.year_month).padStart(2, '0')}01`,
    digits,
    bare(from),
    bare(to),
  ]
  const what = [quoted(fitting(rest.title, 30)), quoted(''), 1, 0, 0, quoted(currency)]
  const unused = ['', quoted(''), '', '', quoted(''), '', '', quoted(''), quoted('')]
  return [...first, ...whose, ...when, ...what, ...unused].join(';')
}

function lineOf(posting: Posting, currency: string): string {
  const { posted_on, cents, debit, credit, document, text } = posting
  const amount = decimal(cents, currency) + (decimalsOf(currency) === 0 ? '.00' : '')
  const header_values: Record<number, string> = {
    0: amount.replace('.', ','),
    1: quoted('S'),
    2: quoted(currency),
    6: debit,
    7: credit,
    9: `${posted_on.slice(8, 10)}${posted_on.slice(5, 7)}`,
    10: quoted(document),
    13: quoted(fitting(text, 60)),
    113: '0', // may still be changed in DATEV
  }
  return extf_columns.map((_, at) => header_values[at] ?? '').join(';')
}

const bare = (day: string) => day.replaceAll('-', '')
const stamp = (moment: string) => moment.replace(/\D/g, '').slice(0, 17).padEnd(17, '0')
const quoted = (text: string) => `"${text.replaceAll('"', '""')}"`

/** One line that fits its field, measured in the encoding of the file. */
function fitting(text: string, longest: number): string {
  const line = new TextDecoder('windows-1252').decode(windows1252(text))
  return line
    .replace(/\p{Cc}+/gu, ' ')
    .slice(0, longest)
    .trim()
}
