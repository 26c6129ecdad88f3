import { byte_order_mark, csvLine } from '#lib/csv.ts'
import { row, rows, type Tx } from '#lib/db.server.ts'
import type { Handlers } from '#lib/serve.server.ts'
import { readPeople } from './file.server.ts'
import { whyNot, Import, ImportRow, type imports } from './imports.contract.ts'

const page_rows = 100

export const importsHandlers: Handlers<typeof imports> = {
  /** Reads the file into the database as it comes, a batch per transaction, then looks through it. */
  upload: async ({ input, body, within }) => {
    const id = await within(async (tx) => {
      const [opened] = await tx<[{ id: string }]>`select open_import(${input.file_name}) as id`
      return opened.id
    })
    try {
      for await (const batch of readPeople(body)) {
        await within((tx) => tx`select stage_rows(${id}, ${tx.json(batch)})`)
      }
      return await within(async (tx) => {
        await tx`select check_import(${id})`
        return findImport(tx, id)
      })
    } catch (error) {
      await within((tx) => tx`select discard_import(${id})`)
      throw error
    }
  },

  list: ({ tx, actor }) =>
    rows(
      Import,
      tx`select ${columns(tx)} from imports i
        where company_id = ${actor.company_id} and status <> 'reading'
        order by created_at desc limit 20`,
    ),

  find: ({ tx, input: { id } }) => findImport(tx, id),

  rows: async ({ tx, actor, input: { id, after } }) => {
    await findImport(tx, id)
    const found = await rows(ImportRow, notTaken(tx, actor.company_id, id, after, page_rows + 1))
    const page = found.slice(0, page_rows)
    const last = page.at(-1)
    return { rows: page, next: found.length > page_rows && last ? last.line : null }
  },

  rejected: async ({ tx, actor, input: { id } }) => {
    const { file_name } = await findImport(tx, id)
    const head = ['full_name', 'email', 'phone', 'department', 'line', 'reason']
    const parts = [byte_order_mark + csvLine(head)]
    for await (const batch of notTaken(tx, actor.company_id, id, 0, null).cursor(2000)) {
      const lines = ImportRow.array()
        .parse(batch)
        .map((row) =>
          csvLine([row.full_name, row.email, row.phone, row.department, row.line, whyNot(row)]),
        )
      parts.push(lines.join(''))
    }
    const name = `${file_name.replace(/\.csv$/i, '')}-not-taken.csv`
    return { name, type: 'text/csv; charset=utf-8', body: parts.join('') }
  },

  start: async ({ tx, input: { id } }) => {
    await tx`select start_import(${id})`
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

const columns = (tx: Tx) => tx`
  i.id, i.file_name, i.status, i.rows, i.fresh, i.here, i.twice, i.elsewhere, i.skipped, i.invalid,
  i.taken, i.kept, i.done, i.created_at, i.finished_at`

const findImport = (tx: Tx, id: string) =>
  row(Import, tx`select ${columns(tx)} from imports i where i.id = ${id}`)

const notTaken = (
  tx: Tx,
  company_id: string | null,
  id: string,
  after: number,
  limit: number | null,
) => tx`
  select line, full_name, email, phone, department, finding, reason from import_rows
  where company_id = ${company_id} and import_id = ${id} and line > ${after}
    and finding in ('here', 'twice', 'elsewhere', 'skipped', 'invalid')
  order by line limit ${limit}`
