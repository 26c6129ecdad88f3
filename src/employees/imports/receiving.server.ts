// A file of people, whoever sent it: read into the database as it comes, then looked through.
import { row, type Tx } from '#lib/db.server.ts'
import type { WorkerPool } from '#lib/worker-pool.server.ts'
import { isProblemCode, Problem } from '#problems.ts'
import { readPeople } from './file.server.ts'
import { Reading } from './imports.contract.ts'
import { openRows } from './rows.server.ts'

type InTransaction = <T>(work: (tx: Tx) => Promise<T>) => Promise<T>
type ReceivedFile = { file_name: string; full_list: boolean; body: AsyncIterable<Uint8Array> }

export const savedReading = (tx: Tx) =>
  row(Reading, tx`select * from people_list_of(actor_company())`)

/** Each batch is a transaction; an unreadable file leaves nothing behind. */
export async function receive(
  within: InTransaction,
  workbooks: WorkerPool,
  sent: ReceivedFile,
): Promise<{ id: string; unused_columns: string[] }> {
  const { id, by } = await within(async (tx) => {
    const [opened] = await tx<[{ id: string }]>`
      select open_import(${sent.file_name}, ${sent.full_list}) as id`
    return { id: opened.id, by: await savedReading(tx) }
  })
  let unused_columns: string[] = []
  try {
    const file = await openRows(sent.body, workbooks, by.encoding)
    const people = readPeople(file.rows, by, (headings) => (unused_columns = headings))
    for await (const batch of people) {
      await within((tx) => tx`select stage_rows(${id}, ${tx.json(batch)})`)
    }
    await within((tx) => tx`select check_import(${id}, ${file.encoding()})`)
    return { id, unused_columns }
  } catch (error) {
    await within((tx) => tx`select discard_import(${id})`)
    throw error
  }
}

type FetchedFile = {
  within: InTransaction
  file_name: string
  bytes: Uint8Array
  applies: 'ask' | 'changes' | 'all'
}
type ImportCounts = { fresh: number; changes: number; missing: number; faulty: number }

/** Takes a file that was fetched: compared in its admin's name, and applied as far as the company allows. */
export const takeFetched =
  (workbooks: WorkerPool) =>
  async ({ within, file_name, bytes, applies }: FetchedFile) => {
    const body = new Blob([Uint8Array.from(bytes)]).stream()
    const { id } = await receive(within, workbooks, { file_name, full_list: true, body })
    // Earlier files are out of date: people missing in them may be in this one.
    await within(
      (tx) => tx`select discard_import(i.id) from imports i where i.company_id = actor_company()
        and i.status in ('checked', 'waiting') and i.id in (
          select f.import_id from people_fetches f where f.company_id = actor_company())`,
    )
    const [found] = await within(
      (tx) => tx<
        [ImportCounts]
      >`select fresh, changes, missing, rows - fresh - changes - same as faulty
        from imports where company_id = actor_company() and id = ${id}`,
    )
    const leaves = applies === 'all' && found.missing > 0
    if (found.fresh + found.changes + found.missing + found.faulty === 0) {
      await within((tx) => tx`select discard_import(${id})`)
      return { outcome: 'nothing' as const, import_id: null }
    }
    if (applies === 'ask' || (found.fresh + found.changes === 0 && !leaves))
      return { outcome: 'compared' as const, import_id: id }
    try {
      const [now] = await within(async (tx) => {
        await tx`select start_import(${id}, ${leaves})`
        return tx<[{ status: string }]>`select status from imports
          where company_id = actor_company() and id = ${id}`
      })
      const outcome = now.status === 'waiting' ? ('waiting' as const) : ('applied' as const)
      return { outcome, import_id: id }
    } catch (error) {
      const { message } = error as Error
      const fault = error instanceof Problem ? error.code : message
      if (!isProblemCode(fault)) throw error
      return { outcome: 'compared' as const, import_id: id, fault }
    }
  }
