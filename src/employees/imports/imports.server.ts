import { z } from 'zod'
import { byte_order_mark, csvLine } from '#lib/csv.ts'
import { row, rows, type SqlPart, type Tx } from '#lib/db.server.ts'
import type { Handlers } from '#lib/serve.server.ts'
import type { WorkerPool } from '#lib/worker-pool.server.ts'
import { lookAt } from './file.server.ts'
import {
  ChangeEffect,
  ComparedPerson,
  Import,
  ImportRow,
  Leaver,
  ListedImport,
  type Encoding,
  imports,
} from './imports.contract.ts'
import { savedReading, receive } from './receiving.server.ts'
import { openRows } from './rows.server.ts'
import { findingText } from './finding-words.ts'

const page_rows = 100

/** All that a row says of its person, so that a fixed row uploaded again loses nothing. */
const RejectedRow = ImportRow.extend({
  personnel_number: z.string().nullable(),
  joined_on: z.iso.date().nullable(),
  left_on: z.iso.date().nullable(),
})
const cells_of_row = [
  'full_name',
  'email',
  'phone',
  'department',
  'personnel_number',
  'joined_on',
  'left_on',
] as const

type ImportHandlers = Handlers<typeof imports>

export const importsHandlers = (workbooks: WorkerPool): ImportHandlers => ({
  ...acts,
  ...comparing,

  look: async ({ input, body, within }) => {
    const by = await within((tx) => savedReading(tx))
    const encoding: Encoding | null = input.encoding ?? by.encoding
    const file = await openRows(body, workbooks, encoding)
    const preview = await lookAt(file.rows, by)
    return { ...preview, encoding: file.encoding() ?? 'utf-8' }
  },

  upload: async ({ input, body, within }) => {
    const sent = { file_name: input.file_name, full_list: input.full_list === 'true', body }
    const { id, unused_columns } = await receive(within, workbooks, sent)
    return { ...(await within((tx) => findImport(tx, id))), unused_columns }
  },
})

const acts: Omit<ImportHandlers, 'look' | 'upload' | keyof typeof comparing> = {
  list: ({ tx, actor }) =>
    rows(
      ListedImport,
      tx`select ${importColumns(tx, ['approve', 'leave'], tx`null`)}
        where i.company_id = ${actor.company_id} and i.status <> 'reading'
        order by i.created_at desc limit 20`,
    ),

  find: ({ tx, input: { id } }) => findImport(tx, id),

  rows: async ({ tx, actor, input: { id, after } }) => {
    await findImport(tx, id)
    const found = await rows(ImportRow, notTaken(tx, actor.company_id, id, after, page_rows + 1))
    return { rows: found.slice(0, page_rows), next: nextOf(found) }
  },

  price: async ({ tx, actor, input: { id } }) => {
    await findImport(tx, id)
    const { price } = await row(
      z.object({ price: imports.price.output }),
      tx`select import_price(${actor.company_id}, ${id}) as price`,
    )
    return price
  },

  rejected: async ({ tx, actor, input: { id } }) => {
    const { file_name } = await findImport(tx, id)
    const parts = [byte_order_mark + csvLine([...cells_of_row, 'line', 'reason'])]
    for await (const batch of notTaken(tx, actor.company_id, id, 0, null).cursor(2000)) {
      const lines = RejectedRow.array()
        .parse(batch)
        .map((row) =>
          csvLine([...cells_of_row.map((name) => row[name]), row.line, findingText(row)]),
        )
      parts.push(lines.join(''))
    }
    const name = `${file_name.replace(/\.(csv|xlsx)$/i, '')}-not-imported.csv`
    return { name, type: 'text/csv; charset=utf-8', body: parts.join('') }
  },

  start: async ({ tx, input: { id, leaves = false, left_on = null } }) => {
    await tx`select start_import(${id}, ${leaves}, ${left_on})`
    return findImport(tx, id)
  },

  approve: async ({ tx, input: { id } }) => {
    await tx`select approve_import(${id})`
    return findImport(tx, id)
  },

  undo: async ({ tx, input: { id } }) => {
    await tx`select undo_import(${id})`
    return findImport(tx, id)
  },

  discard: async ({ tx, input: { id } }) => {
    await findImport(tx, id)
    await tx`select discard_import(${id})`
    return { id }
  },
}

const importColumns = (tx: Tx, acts_shown: string[], applied: SqlPart) => tx`
  i.id, i.file_name, i.full_list, i.chosen, i.encoding, i.status, i.rows, i.fresh, i.here, i.duplicate, i.address_taken,
  i.skipped, i.invalid, i.changes, i.same, i.missing, i.leaves, i.left_on, i.untouched, i.taken,
  i.kept, i.done, i.created_at, i.finished_at, ${applied} as applied,
  coalesce(key_name(i.company_id, i.started_by_key), s.full_name) as started_by_name,
  (select json_object_agg(act, import_refusal(act, i, actor_id()))
    from unnest(${acts_shown}::text[]) act) as refusals
  from imports i left join profiles s on s.id = i.started_by`

export const findImport = (tx: Tx, id: string) =>
  row(
    Import,
    tx`select ${importColumns(tx, ['approve', 'leave', 'start', 'undo'], appliedRows(tx))}
      where i.id = ${id}`,
  )

const appliedRows = (tx: Tx) => tx`
  case when i.status = 'done' and i.full_list then (
    select json_build_object('changed', count(*) filter (where r.finding = 'changed'),
        'left', count(*) filter (where r.finding = 'left'))
      from import_rows r where r.company_id = i.company_id and r.import_id = i.id
        and r.finding in ('changed', 'left')) end`

const notTaken = (
  tx: Tx,
  company_id: string | null,
  id: string,
  after: number,
  limit: number | null,
) => tx`
  select line, full_name, email, phone, department, personnel_number, joined_on, left_on, finding,
    reason
  from import_rows where company_id = ${company_id} and import_id = ${id} and line > ${after}
    and is_rejected(finding, reason)
  order by line limit ${limit}`

const LeaverSums = imports.leavers.output.omit({ leavers: true, next: true })

const findings = {
  fresh: ['fresh', 'taken', 'adopted'],
  changes: ['changes', 'changed'],
  missing: ['missing', 'left'],
  staying: [],
  untouched: ['untouched'],
  kept: ['kept'],
}

const comparing = {
  reading: ({ tx }) => savedReading(tx),

  match: async ({ tx, input: { columns, encoding, date_order } }) => {
    await tx`select match_columns(${tx.json(columns)}, ${encoding}, ${date_order})`
    return savedReading(tx)
  },

  set_leaver_limit: async ({ tx, input: { leave_percent } }) => {
    await tx`select set_leaver_limit(${leave_percent})`
    return savedReading(tx)
  },

  people: async ({ tx, actor, input: { id, kind, after } }) => {
    await findImport(tx, id)
    const found = await rows(
      ComparedPerson,
      tx`select r.line, r.full_name, r.email, r.department, r.personnel_number, r.joined_on,
          r.person_id, r.finding, r.reason,
          coalesce((select json_agg(json_build_object('field', b.key, 'was', r.was ->> b.key,
              'becomes', b.value) order by b.key) from jsonb_each_text(r.becomes) b), '[]') as changes
        from import_rows r
        where r.company_id = ${actor.company_id} and r.import_id = ${id} and r.line > ${after}
          and (r.finding = any (${findings[kind]})
            or ${kind === 'staying'} and r.reason = 'not_in_file') order by r.line limit ${page_rows + 1}`,
    )
    return { people: found.slice(0, page_rows), next: nextOf(found) }
  },

  effects: async ({ tx, actor, input: { id, after } }) => {
    await findImport(tx, id)
    const effects = await rows(
      ChangeEffect,
      tx`select * from import_effects(${actor.company_id}, ${id}, array(
        select r.line from import_rows r where r.company_id = ${actor.company_id}
          and r.import_id = ${id} and r.finding = 'changes' and r.line > ${after}
          order by r.line limit ${page_rows}))`,
    )
    const [{ currency }] = await tx<[{ currency: string }]>`
      select currency from companies where id = ${actor.company_id}`
    return { effects, currency }
  },

  leavers: async ({ tx, input: { id, after } }) => {
    await findImport(tx, id)
    const [found, sums] = await Promise.all([
      rows(Leaver, tx`select * from import_leavers(${id}, ${after}, ${page_rows + 1})`),
      row(
        LeaverSums,
        tx`
          select count(*)::integer as people, coalesce(sum(available_cents), 0)::bigint as available_cents,
            coalesce(sum(open_cents), 0)::bigint as open_cents,
            coalesce(sum(open_claims), 0)::integer as open_claims,
            (select currency from companies where id = actor_company()) as currency,
            (select leaver_filing_days::integer from plan_years y where y.company_id = actor_company()
              and y.starts_on = current_plan_year(actor_company())) as filing_days
          from import_leavers(${id}, 0, null)`,
      ),
    ])
    return { leavers: found.slice(0, page_rows), next: nextOf(found), ...sums }
  },
} satisfies Partial<ImportHandlers>

const nextOf = (found: readonly { line: number }[]) =>
  found.length > page_rows ? (found[page_rows - 1]?.line ?? null) : null
