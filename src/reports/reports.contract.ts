import { z } from 'zod'
import { del, download, get, post, put } from '#lib/contract.ts'

export type ReportKind = z.infer<typeof ReportKind>
export const ReportKind = z.enum([
  'fund_allocation',
  'claims_activity',
  'company_performance',
  'utilization_trends',
])
export const ReportType = z.enum(['Financial', 'Claims', 'Analytics', 'HR'])
export type ReportFormat = z.infer<typeof ReportFormat>
export const ReportFormat = z.enum(['pdf', 'xlsx', 'csv'])

export type Report = z.infer<typeof Report>
export const Report = z.object({
  id: z.uuid(),
  kind: ReportKind,
  type: ReportType,
  title: z.string(),
  description: z.string(),
  company_name: z.string().nullable(),
  from_on: z.iso.date(),
  to_on: z.iso.date(),
  status: z.enum(['waiting', 'making', 'ready', 'failed']),
  percent: z.int(),
  fault: z.string().nullable(),
  is_scheduled: z.boolean(),
  requested_by_name: z.string().nullable(),
  pdf_bytes: z.int().nullable(),
  xlsx_bytes: z.int().nullable(),
  csv_bytes: z.int().nullable(),
  created_at: z.iso.datetime(),
  made_at: z.iso.datetime().nullable(),
  /** The time of a reading from a standby. */
  as_of: z.iso.datetime().nullable(),
})

const Month = z.string('Choose a month').regex(/^(19|20)\d\d-(0[1-9]|1[0-2])$/, 'Choose a month')

/** Whole months, so that the difference of two reports is never a single day of few people. */
export const NewReport = z.object({
  kind: ReportKind,
  from: Month,
  to: Month,
  company_id: z.uuid('Choose a company from the list').optional(),
})

const ReportId = z.object({ id: z.uuid() })
const Schedule = z.object({ kind: ReportKind, enabled: z.boolean() })

export const reports = {
  list: get(
    '/reports',
    z.object({
      type: ReportType.optional(),
      after: z.string().max(2000).optional(),
      limit: z.coerce.number().int().min(1).max(100).default(20),
    }),
    z.object({ reports: Report.array(), next: z.string().nullable() }),
  ),
  summary: get(
    '/reports/summary',
    z.object({}),
    z.object({ total: z.int(), this_month: z.int(), under_way: z.int(), scheduled: z.int() }),
  ),
  generate: post('/reports', NewReport, Report, { idempotent: true }),
  retry: post('/reports/:id/retry', ReportId, Report),
  remove: del('/reports/:id', ReportId, ReportId),
  file: download('/reports/:id/files/:format', ReportId.extend({ format: ReportFormat })),

  schedules: get('/reports/schedules', z.object({}), Schedule.array()),
  schedule: put('/reports/schedules/:kind', Schedule, Schedule.array()),
}
