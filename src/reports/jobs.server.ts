// Reports in the making: figures from one snapshot, drawn in a process of their own, kept in the database.
import { randomUUID } from 'node:crypto'
import { z } from 'zod'
import type { Sql, Tx } from '#lib/db.server.ts'
import type { Task } from '#lib/jobs.server.ts'
import { Standby } from '#lib/standby.server.ts'
import type { WorkerPool } from '#lib/worker-pool.server.ts'
import { Problem } from '#problems.ts'
import { claimsActivity } from './claims-activity.server.ts'
import { companyPerformance } from './company-performance.server.ts'
import type { ReportDocument, Figure, ReportParts, View } from './document.ts'
import { fundAllocation } from './fund-allocation.server.ts'
import { gather, privacy_note, type Period, type Scope } from './gather.server.ts'
import { report_kinds, monthsIn, periodBefore, periodName, titleOf, type Kind } from './kinds.ts'
import { ReportFormat } from './reports.contract.ts'
import { render, type RenderedFiles } from './render.server.ts'
import { firstOf } from './sentences.ts'
import { dayName, isNothing, momentName } from './show.ts'
import { speaks, trimmed } from './trim.ts'
import { utilizationTrends } from './utilization-trends.server.ts'

const tries_max = 3
const part_bytes = 256 * 1024

type BegunReport = Period & { id: string; kind: Kind; title: string; tries: number; run: string }
const ReportInput = z.object({ id: z.uuid() })

/** Killed over it, another worker begins again; three times, and it has failed. */
export const makeReport =
  (room: WorkerPool, standby?: Standby): Task =>
  async (input, { sql, log }) => {
    const { id } = ReportInput.parse(input)
    const run = randomUUID()
    const [report] = await sql<[BegunReport?]>`select * from private.begin_report(${id}, ${run})`
    if (!report) return
    if (report.tries > tries_max) {
      return fail(sql, report, 'The worker ended before it was finished, three times in a row')
    }
    await recordProgress(sql, report, 5)
    try {
      const document = await documentOf(standby ?? Standby.none(sql, log), report)
      await recordProgress(sql, report, 60)
      const files = await render(room, document)
      await recordProgress(sql, report, 95)
      await keep(sql, report, { files, as_of: document.as_of ?? null })
    } catch (error) {
      if (report.tries < tries_max) throw error // the queue tries again, a little later each time
      log.error({ err: error, report: id }, 'a report could not be made')
      await fail(sql, report, reasonOf(error))
    }
  }

const reasonOf = (error: unknown) =>
  (error as { code?: string }).code === '57014'
    ? 'It took longer than four minutes. Choose a shorter period or one company'
    : error instanceof Problem
      ? error.message
      : 'Something went wrong while it was made. It has been recorded'

async function documentOf(
  reads: Pick<Standby, 'read'>,
  report: Period & { kind: Kind },
): Promise<ReportDocument> {
  const earlier = { ...report, ...periodBefore(report.from_on, report.to_on) }
  const { as_of, standby, ...found } = await reads.read(async (tx, at) => ({
    ...(await partsOf(tx, report)),
    ...at,
  }))
  const { scope, made_at, today, ...now } = found
  const before = await reads.read((tx) => partsOf(tx, earlier))
  const { hides, notes, charts, sheets, views, decide, ...parts } = now
  const only = report.of_company ? scope[0]?.name : undefined
  const { from_on, to_on, kind } = report
  const currencies = new Set(scope.map(({ currency }) => currency)).size
  return {
    ...parts,
    title: titleOf(kind, from_on, to_on, only),
    type: report_kinds[kind].type,
    description: report_kinds[kind].description,
    scope: only ?? `All companies (${scope.length})`,
    period: periodName(from_on, to_on),
    period_before: periodName(earlier.from_on, earlier.to_on),
    made_at,
    as_of: standby ? as_of : null,
    views: compared(views, before.views),
    decide: firstOf(decide),
    charts: charts.filter(speaks),
    sheets: scope.length === 0 ? [] : sheets.map(trimmed),
    notes: [
      standby
        ? `Figures are those of the ledger as of ${momentName(as_of)}, read from a standby. Each company’s days are its own.`
        : 'Figures are those of the ledger at the moment the report was made. Each company’s days are its own.',
      ...(scope.every(({ is_over }) => is_over)
        ? []
        : [
            `The period is not over: its figures are up to ${dayName(today < to_on ? today : to_on)}.`,
          ]),
      ...(currencies > 1 ? ['Amounts of different currencies are never added.'] : []),
      ...(notes ?? []),
      ...(hides ? [privacy_note] : []),
    ],
  }
}

async function partsOf(tx: Tx, report: Period & { kind: Kind }) {
  const scope = await gather(tx, report)
  const parts = await makers[report.kind](tx, scope, monthsOf(report.from_on, report.to_on), report)
  const [at] = await tx<[{ made_at: string; today: string }]>`
    select now() as made_at, (now() at time zone 'UTC')::date as today`
  return { scope, ...at, ...parts }
}

/** Each figure beside what it was. */
const compared = (views: View[], earlier: View[]): View[] =>
  views.map(({ currency, figures, ...view }) => {
    const known = earlier.find((one) => one.currency === currency)?.figures ?? []
    const old = known.every(({ value }) => isNothing(value)) ? [] : known
    const before = ({ label }: Figure) => old.find((one) => one.label === label)?.value ?? null
    return {
      ...view,
      currency,
      figures: figures.map((figure) => ({ ...figure, before: before(figure) })),
    }
  })

type Make = (tx: Tx, scope: Scope[], months: string[], period: Period) => Promise<ReportParts>

const makers: Record<Kind, Make> = {
  fund_allocation: fundAllocation,
  claims_activity: claimsActivity,
  company_performance: companyPerformance,
  utilization_trends: utilizationTrends,
}

function monthsOf(from_on: string, to_on: string): string[] {
  const [year, month] = from_on.split('-').map(Number)
  return Array.from({ length: monthsIn(from_on, to_on) }, (_, at) =>
    new Date(Date.UTC(year ?? 0, (month ?? 1) - 1 + at, 1)).toISOString().slice(0, 10),
  )
}

const publishToSupers = (sql: Sql | Tx) => sql`select private.publish_now('supers')`

async function recordProgress(sql: Sql, { id, run }: BegunReport, percent: number) {
  await sql`update reports set percent = ${percent} where id = ${id} and run = ${run}`
  await publishToSupers(sql)
}

/** Whole or not at all; and not if it was deleted or taken over meanwhile. */
async function keep(
  sql: Sql,
  { id, run }: BegunReport,
  { files, as_of }: { files: RenderedFiles; as_of: string | null },
) {
  await sql.begin(async (tx) => {
    const still = await tx`
      update reports set status = 'ready', percent = 100, fault = null, made_at = now(), as_of = ${as_of},
        pdf_bytes = ${files.pdf.byteLength}, xlsx_bytes = ${files.xlsx.byteLength},
        csv_bytes = ${files.csv.byteLength}
      where id = ${id} and run = ${run} and status = 'making' returning id`
    if (still.length === 0) return
    for (const format of ReportFormat.options) {
      const bytes = files[format]
      for (let from = 0, part = 0; from < bytes.byteLength; from += part_bytes, part += 1) {
        await tx`insert into report_files (report_id, format, part, bytes)
          values (${id}, ${format}, ${part}, ${Buffer.from(bytes.subarray(from, from + part_bytes))})`
      }
    }
    await tx`select private.notify_of_report(${id})`
    await publishToSupers(tx)
  })
}

async function fail(sql: Sql, { id, run }: BegunReport, fault: string) {
  await sql`update reports set status = 'failed', fault = ${fault}
    where id = ${id} and run = ${run}`
  await publishToSupers(sql)
}

/** Makes the scheduled reports on the first of each month. */
export const scheduleReports: Task = async (_, { sql }) => {
  const month = new Date()
  month.setUTCDate(0) // the last day of the month that is over
  const day = month.toISOString().slice(0, 10)
  const titles = Object.fromEntries(
    Object.keys(report_kinds).map((kind) => [kind, titleOf(kind as Kind, day, day, undefined)]),
  )
  await sql`select private.request_monthly_reports(${sql.json(titles)})`
}
