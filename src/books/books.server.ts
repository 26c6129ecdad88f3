// Payroll and books: a company's codes, and the files that are made with them.
import { z } from 'zod'
import { decimalsOf } from '#lib/currencies.ts'
import { row, rows, type Tx } from '#lib/db.server.ts'
import type { Handlers } from '#lib/serve.server.ts'
import type { Actor } from '#actor.ts'
import { Problem, type ProblemCode } from '#problems.ts'
import { books, Codes } from './books.contract.ts'
import { journalAsCsv, journalAsExtf, type Posting } from './journal-file.ts'
import { postingText } from './texts.ts'
import { wageFile } from './wage-file.ts'
import { isItem, itemNames, codeFormatOf, type BookItem } from './words.contract.ts'

const postings_max = 99_999

export const booksHandlers: Handlers<typeof books> = {
  codes: ({ tx, actor }) => codesOf(tx, actor),

  change_codes: async ({ tx, actor, input }) => {
    if (!Object.keys(input).every(isItem)) throw new Problem('invalid_input')
    const wrong = entriesOf(input).filter(([item, code]) => !codeFormatOf(item)[0].test(code))
    if (wrong.length > 0) throw new Problem('invalid_input', { fields: unlike(wrong) })
    const [clash] = await tx<[{ item: BookItem | null }]>`
      select set_book_codes(${tx.json(input)}) as item`
    if (clash.item) throw Problem.at(clash.item, 'account_used_twice')
    return codesOf(tx, actor)
  },

  wages: async ({ tx, actor, input: { id } }) => {
    const found = await wageLines(tx, id)
    const codes = await codesOf(tx, actor)
    refuseCodes(missingOf(codes, wageTypesIn(found)), 'has no wage type')
    const { pay_on } = await row(
      z.object({ pay_on: z.string() }),
      tx`select pay_on from pay_runs where company_id = ${actor.company_id} and id = ${id}`,
    )
    const lines = found.map(({ item, ...line }) => ({ ...line, wage_type: codes[item] ?? '' }))
    return {
      name: `payout-${id}-wage-types.csv`,
      type: 'text/csv; charset=utf-8',
      body: wageFile({ run_id: id, pay_on, currency: currencyOf(actor), lines }),
    }
  },

  sums: async ({ tx, actor, input }) => {
    const { first_on, so_far } = await periodOf(tx, actor, input)
    const codes = await codesOf(tx, actor)
    const found = await rows(
      Summed,
      tx`select debit, credit, count(*)::int as postings, sum(cents)::bigint as cents
        from journal(${first_on}, ${input.id ?? null}) group by debit, credit`,
    )
    const there = found.filter((sum) => isPosted(sum, codes))
    const used = there.flatMap(({ debit, credit }) => [debit, credit])
    const wages = input.id ? wageTypesIn(await wageLines(tx, input.id)) : []
    const [missing, missing_wage_types] = [missingOf(codes, used), missingOf(codes, wages)]
    const all = found.reduce((sum, { postings }) => sum + postings, 0)
    const journal = sizeRefusal(all) ?? codesRefusal(missing)
    return {
      postings: there.reduce((all, { postings }) => all + postings, 0),
      cents: there.reduce((all, { cents }) => all + cents, 0),
      so_far,
      missing: missing.map((item) => itemNames[item]),
      missing_wage_types: missing_wage_types.map((item) => itemNames[item]),
      refusals: {
        journal,
        datev: datevRefusal(currencyOf(actor)) ?? journal,
        wages: codesRefusal(missing_wage_types),
      },
    }
  },

  journal: async ({ tx, actor, input }) => {
    const period = await periodOf(tx, actor, input)
    const codes = await codesOf(tx, actor)
    const found = await rows(
      JournalLine,
      tx`select * from journal(${period.first_on}, ${input.id ?? null}) limit ${postings_max + 1}`,
    )
    refuse(sizeRefusal(found.length))
    const moved = found.filter((one) => isPosted(one, codes))
    const used = moved.flatMap(({ debit, credit }) => [debit, credit])
    refuseCodes(missingOf(codes, used), 'has no account')
    const postings = moved.map((one): Posting => ({
      ...one,
      text: postingText(one),
      debit: codes[one.debit] ?? '',
      credit: codes[one.credit] ?? '',
    }))
    const currency = currencyOf(actor)
    const name = input.id ? `payout ${input.id}` : period.first_on.slice(0, 7)
    const title = period.so_far ? `${name} so far` : name
    if (input.format === 'datev') return extfOf({ title, period, postings, currency, codes })
    return {
      name: `journal-${title.replaceAll(' ', '-')}.csv`,
      type: 'text/csv; charset=utf-8',
      body: journalAsCsv(postings, currency),
    }
  },
}

const item = z.custom<BookItem>()
const WageRow = z.object({
  email: z.string(),
  full_name: z.string(),
  item,
  cents: z.int(),
  by_bank: z.boolean(),
  returned: z.boolean(),
})
const wageLines = (tx: Tx, run: number) => rows(WageRow, tx`select * from wage_lines(${run})`)
const wageTypesIn = (lines: readonly z.infer<typeof WageRow>[]) =>
  lines.filter(({ returned }) => !returned).map(({ item }) => item)
const Summed = z.object({ debit: item, credit: item, postings: z.int(), cents: z.int() })
type JournalLine = z.infer<typeof JournalLine>
const JournalLine = z.object({
  posted_on: z.string(),
  value_on: z.string(),
  event: z.string(),
  document: z.string(),
  claim_id: z.int().nullable(),
  run_id: z.int().nullable(),
  debit: item,
  credit: item,
  cents: z.int(),
  note: z.string().nullable(),
})

const currencyOf = ({ currency }: Actor) => currency ?? 'EUR'

const entriesOf = (codes: Codes) =>
  Object.entries(codes).filter((entry): entry is [BookItem, string] => entry[1] !== undefined)

const unlike = (wrong: [BookItem, string][]) =>
  Object.fromEntries(wrong.map(([name]) => [name, [codeFormatOf(name)[1]]]))

async function codesOf(tx: Tx, { company_id }: Actor): Promise<Codes> {
  const [found] = await tx<[{ codes: unknown }]>`
    select coalesce(json_object_agg(item, code), '{}') as codes from book_codes
    where company_id = ${company_id}`
  return Codes.parse(found.codes)
}

/** A company whose contributions come from the account that pays posts nothing for them: no money moves between two accounts. */
const isPosted = ({ debit, credit }: Pick<JournalLine, 'debit' | 'credit'>, codes: Codes) =>
  !([debit, credit].includes('transit') && codes.bank && codes.bank === codes.transit)

const missingOf = (codes: Codes, used: readonly BookItem[]) =>
  [...new Set(used)].filter((one) => !codes[one])

// Why a file can't be made, as `sums` answers it beforehand.
const sizeRefusal = (postings: number) => (postings > postings_max ? 'too_many_postings' : null)
const datevRefusal = (currency: string) => (decimalsOf(currency) > 2 ? 'datev_two_decimals' : null)
const codesRefusal = (wrong: readonly BookItem[]) => (wrong.length > 0 ? 'book_codes_needed' : null)

function refuse(code: ProblemCode | null, fields?: Record<string, string[]>) {
  if (code) throw new Problem(code, fields && { fields })
}

function refuseCodes(wrong: readonly BookItem[], fault: string) {
  const faults = wrong.map((one) => [one, [`${itemNames[one]} ${fault}`]])
  refuse(codesRefusal(wrong), Object.fromEntries(faults))
}

type PeriodRequest = { id?: number | undefined; month?: string | undefined }
type PeriodFound = z.infer<typeof PeriodFound>
const PeriodFound = z.object({
  first_on: z.string(),
  last_on: z.string(),
  so_far: z.boolean(),
  made_at: z.string(),
})

/** A month, and whether it is still running; for a run, the month of its release. */
const periodOf = (tx: Tx, { company_id }: Actor, { id, month }: PeriodRequest) =>
  row(
    PeriodFound,
    tx`select m.first_on, (m.first_on + interval '1 month - 1 day')::date as last_on, now() as made_at,
        ${id ?? null}::bigint is null
          and company_today(c.id) < m.first_on + interval '1 month' as so_far
      from companies c
      left join pay_runs r on r.company_id = c.id and r.id = ${id ?? null}::bigint
      cross join lateral (select date_trunc('month', coalesce(
        (r.released_at at time zone c.time_zone)::date,
        ${month === undefined ? null : `${month}-01`}::date, company_today(c.id)))::date as first_on) m
      where c.id = ${company_id}`,
  )

type ForDatev = {
  title: string
  period: PeriodFound
  postings: Posting[]
  currency: string
  codes: Codes
}

function extfOf({ title, period, postings, currency, codes }: ForDatev) {
  refuse(datevRefusal(currency))
  const { datev_consultant: consultant = '', datev_client: client = '' } = codes
  const { datev_digits: digits = '4', datev_year = '1' } = codes
  refuseCodes(missingOf(codes, ['datev_consultant', 'datev_client']), 'is not known')
  const numbers = new Set(postings.flatMap(({ debit, credit }) => [debit, credit]))
  const longest = Number(digits) + 1
  const wrong = entriesOf(codes).flatMap(([name, code]) =>
    !/^(wage|datev)_/.test(name) &&
    numbers.has(code) &&
    !(/^\d+$/.test(code) && code.length <= longest)
      ? [name]
      : [],
  )
  refuseCodes(wrong, `needs digits only for DATEV, at most ${longest}`)
  const { first_on: from, last_on: to, made_at } = period
  return {
    name: `EXTF_Buchungsstapel_${title.replaceAll(' ', '_')}.csv`,
    type: 'text/csv; charset=windows-1252',
    body: journalAsExtf({
      postings,
      currency,
      title: `Healthfund ${title}`,
      from,
      to,
      consultant,
      client,
      digits,
      year_month: Number(datev_year),
      made_at,
    }),
  }
}
