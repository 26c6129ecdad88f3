// Fetches each company's file daily, at its own hour, and treats it like one that an admin sent.
import { createHash } from 'node:crypto'
import { z } from 'zod'
import type { Sql, Tx } from '#lib/db.server.ts'
import { toProblem } from '#lib/failures.server.ts'
import type { Task } from '#lib/jobs.server.ts'
import type { Log } from '#lib/log.server.ts'
import { decrypt } from '#lib/sealing.server.ts'
import { Problem, problems } from '#problems.ts'
import { allowListOf, type Resolve } from '#lib/addresses.server.ts'
import { fetchFile, FetchFault, readable, type From } from './fetching.server.ts'
import type { Source } from './sources.contract.ts'
import { placeOf, sourceKey } from './sources.server.ts'
import { oneLine } from '#lib/one-line.ts'

type FetchOutcome = Source['fetches'][number]['outcome']
type TakenFile = { outcome: FetchOutcome; import_id: string | null; fault?: string }
/** The steps of an admin's file, in transactions of that admin. */
export type Take = (file: {
  within: <T>(work: (tx: Tx) => Promise<T>) => Promise<T>
  file_name: string
  bytes: Uint8Array
  applies: Source['applies']
}) => Promise<TakenFile>

type FetchTools = {
  installation_key: Buffer
  /** `WEBHOOK_ALLOW`. */
  allow: readonly string[]
  take: Take
  resolve?: Resolve
  ca?: string
}
const FetchInput = z.object({ company_id: z.uuid() })
type StoredSource = Pick<Source, 'url' | 'login' | 'secret_kind' | 'host_key' | 'applies'> & {
  sealed: Uint8Array | null
  last_hash: string | null
}

export const fetchDue: Task = async (_, { sql }) => {
  await sql`select private.fetch_due()`
}

export const fetchPeople =
  (tools: FetchTools): Task =>
  async (input, { sql, log, ending }) => {
    const { company_id } = FetchInput.parse(input)
    const [source] = await sql<StoredSource[]>`
      select url, login, secret_kind, host_key, applies, sealed, encode(last_hash, 'hex') as last_hash
      from people_sources where company_id = ${company_id}`
    if (!source) return
    const fetched = await attempt({ ...tools, sql, log, company_id, ending }, source)
    if (ending?.aborted) return
    await sql`select private.note_fetch(${company_id}, ${sql.json(fetched)})`
  }

type FetchAttempt = FetchTools & {
  sql: Sql
  log: Log
  company_id: string
  ending?: AbortSignal | undefined
}

async function attempt(tools: FetchAttempt, source: StoredSource) {
  const { company_id, sql, log, take } = tools
  try {
    const bytes = await fetchFile(fromOf(tools, source))
    const hash = createHash('sha256').update(bytes).digest('hex')
    const about = { bytes: bytes.length, hash }
    if (hash === source.last_hash) return { ...about, outcome: 'same' as const }
    const within = <T>(work: (tx: Tx) => Promise<T>) =>
      sql.begin(async (tx) => {
        const [acting] = await tx<[{ yes: boolean }]>`
          select private.act_for_source(${company_id}) as yes`
        if (!acting.yes) throw new Problem('source_admin_gone')
        return work(tx)
      })
    const file_name =
      oneLine(readable(new URL(source.url).pathname.split('/').at(-1) ?? '')) || 'employees'
    const taken = await take({
      within,
      file_name: file_name.slice(0, 200),
      bytes,
      applies: source.applies,
    })
    return { ...about, ...taken }
  } catch (error) {
    if (error instanceof FetchFault) {
      const { fault, host_key_met } = error
      return { outcome: 'failed' as const, fault, ...(host_key_met ? { host_key_met } : {}) }
    }
    const { code } = toProblem(error)
    const [status] = problems[code]
    if (status === 503) throw error // the database comes back, and the job is tried again
    // An unforeseen error is shown like any other: nobody in the company sees a job that only fails.
    if (status === 500) log.error({ err: error, company_id }, 'a list was not fetched')
    return { outcome: 'failed' as const, fault: code }
  }
}

const fromOf = (tools: FetchAttempt, source: StoredSource): From => ({
  ...source,
  secret: source.sealed
    ? decrypt(
        sourceKey(tools.installation_key),
        source.sealed,
        placeOf(tools.company_id),
      ).toString()
    : undefined,
  allowed: allowListOf(tools.allow),
  ending: tools.ending,
  resolve: tools.resolve,
  ca: tools.ca,
})
