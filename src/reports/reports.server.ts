// Reports as the provider's staff ask for them, find them and take them away.
import type { z } from 'zod'
import { besideFields } from '#lib/field-problems.server.ts'
import { row, rows, type SqlPart, type Tx } from '#lib/db.server.ts'
import { keyset, withCursor, type KeysetOrder } from '#lib/keyset.server.ts'
import { pageOf } from '#lib/cursor.ts'
import type { Handlers } from '#lib/serve.server.ts'
import type { Actor } from '#actor.ts'
import { Problem } from '#problems.ts'
import { report_kinds, lastDay, months_max, monthsIn, titleOf, type Kind } from './kinds.ts'
import { Report, ReportKind, reports, type ReportFormat } from './reports.contract.ts'

const newest: KeysetOrder = [
  ['r.created_at', 'timestamptz'],
  ['r.id', 'uuid'],
]

export const reportsHandlers: Handlers<typeof reports> = {
  list: async ({ tx, input: { type, after, limit } }) => {
    const { after_cursor, order_by, row_cursor } = keyset(tx, newest, true, after)
    const kinds = kindsOf(type)
    const which = kinds ? tx`r.kind = any (${kinds})` : tx`true`
    const found = await rows(
      ListedReport,
      tx`select ${reportColumns(tx)}, ${row_cursor} as row_cursor ${from(tx)}
        where ${which} ${after_cursor} order by ${order_by} limit ${limit + 1}`,
    )
    const { page, next } = pageOf(found, limit)
    return { reports: page.map(toReport), next }
  },

  summary: ({ tx, actor }) =>
    row(
      reports.summary.output,
      tx`select count(*)::int as total,
          count(*) filter (where created_at >= date_trunc('month', now(), 'UTC'))::int as this_month,
          count(*) filter (where status in ('waiting', 'making'))::int as under_way,
          (select count(*)::int from report_schedules where person_id = ${actor.id}) as scheduled
        from reports`,
    ),

  generate: async ({ tx, input }) => {
    const { kind, from, to, company_id = null } = input
    await checkPeriod(tx, from, to)
    const [company] = await tx<[{ name: string }?]>`
      select name from companies where id = ${company_id}`
    const [from_on, to_on] = [`${from}-01`, lastDay(to)]
    const title = titleOf(kind, from_on, to_on, company?.name)
    const report = { kind, of_company: company_id, from_on, to_on, title }
    const [requested] = await besideFields(
      { company_gone: 'company_id' },
      tx<[{ id: string }]>`select request_report(${tx.json(report)}) as id`,
    )
    return findReport(tx, requested.id)
  },

  retry: async ({ tx, input: { id } }) => {
    const [retried] = await tx<[{ id: string }]>`select retry_report(${id}) as id`
    return findReport(tx, retried.id)
  },

  remove: async ({ tx, input: { id } }) => {
    await tx`select delete_report(${id})`
    return { id }
  },

  file: async ({ tx, input: { id, format } }) => {
    const { title, status } = await findReport(tx, id)
    if (status !== 'ready') throw new Problem('report_not_ready')
    const parts = await tx<{ bytes: Buffer }[]>`
      select bytes from report_files where report_id = ${id} and format = ${format} order by part`
    return {
      name: `${title.replaceAll(' · ', ', ')}.${format}`,
      type: types[format],
      body: new Uint8Array(Buffer.concat(parts.map(({ bytes }) => bytes))),
    }
  },

  schedules: ({ tx, actor }) => schedulesOf(tx, actor),

  schedule: async ({ tx, actor, input: { kind, enabled } }) => {
    if (enabled) {
      await tx`insert into report_schedules (person_id, kind) values (${actor.id}, ${kind})
        on conflict do nothing`
    } else {
      await tx`delete from report_schedules where person_id = ${actor.id} and kind = ${kind}`
    }
    await tx`select publish(${`person:${actor.id}`})`
    return schedulesOf(tx, actor)
  },
}

const types: Record<ReportFormat, string> = {
  pdf: 'application/pdf',
  xlsx: 'application/vnd.openxmlformats-officedocument.spreadsheetml.sheet',
  csv: 'text/csv; charset=utf-8',
}

/** The provider's months are those of UTC, but where it is tomorrow already its month has begun. */
async function checkPeriod(tx: Tx, from: string, to: string) {
  if (to < from) throw Problem.at('to', 'period_ends_before_it_begins')
  if (monthsIn(from, to) > months_max) throw Problem.at('from', 'period_too_long')
  const [now] = await tx<[{ month: string }]>`
    select to_char(now() at time zone 'UTC' + interval '14 hours', 'YYYY-MM') as month`
  if (to > now.month) throw Problem.at('to', 'period_in_future')
}

const ReportRow = Report.omit({ type: true, description: true })
const ListedReport = withCursor(ReportRow)

const toReport = (found: z.output<typeof ReportRow>): Report => ({
  ...found,
  type: report_kinds[found.kind].type,
  description: report_kinds[found.kind].description,
})

const reportColumns = (tx: Tx): SqlPart => tx`
  r.id, r.kind, r.title, c.name as company_name, r.from_on, r.to_on, r.status, r.percent, r.fault,
  r.is_scheduled, p.full_name as requested_by_name, r.pdf_bytes, r.xlsx_bytes, r.csv_bytes, r.created_at,
  r.made_at, r.as_of`

const from = (tx: Tx): SqlPart => tx`
  from reports r left join companies c on c.id = r.of_company left join profiles p on p.id = r.requested_by`

const findReport = async (tx: Tx, id: string) =>
  toReport(await row(ReportRow, tx`select ${reportColumns(tx)} ${from(tx)} where r.id = ${id}`))

const kindsOf = (type: string | undefined): Kind[] | undefined =>
  type ? ReportKind.options.filter((kind) => report_kinds[kind].type === type) : undefined

async function schedulesOf(tx: Tx, actor: Actor) {
  const found = await tx<{ kind: string }[]>`
    select kind from report_schedules where person_id = ${actor.id}`
  const set = new Set(found.map(({ kind }) => kind))
  return ReportKind.options.map((kind) => ({ kind, enabled: set.has(kind) }))
}
