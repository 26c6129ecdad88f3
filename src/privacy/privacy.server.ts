import { row, rows, type Tx } from '#lib/db.server.ts'
import type { Files, StoredFile } from '#lib/files.server.ts'
import { pageOf } from '#lib/cursor.ts'
import { keyset, withCursor, type KeysetOrder } from '#lib/keyset.server.ts'
import type { Handlers } from '#lib/serve.server.ts'
import type { Actor } from '#actor.ts'
import { z } from 'zod'
import {
  DataExport,
  ExportRefusals,
  Erasure,
  ItemsToErase,
  ErasureBlocker,
  OwnErasure,
  type privacy,
} from './privacy.contract.ts'

type PrivacyHandlers = Handlers<typeof privacy>

const page_rows = 20

type Exporting = 'exports' | 'request_export' | 'retry_export' | 'download_export'
const exportHandlers = (files: Files): Pick<PrivacyHandlers, Exporting> => ({
  exports: async ({ tx, actor }) => {
    const exports = await rows(
      DataExport,
      tx`select ${exportColumns(tx)} from data_exports where person_id = ${actor.id}
        order by requested_at desc, id limit 50`,
    )
    const refusals = await row(ExportRefusals, tx`select export_refusal() as request`)
    return { exports, refusals }
  },

  request_export: async ({ tx }) => {
    const [made] = await tx<[{ id: string }]>`select request_export() as id`
    return findExport(tx, made.id)
  },

  retry_export: async ({ tx, input: { id } }) => {
    await tx`select retry_export(${id})`
    return findExport(tx, id)
  },

  download_export: async ({ tx, input: { id } }) => {
    const parts = await rows(ExportPart, tx`select * from open_export(${id})`)
    const day = parts[0]?.made_at.slice(0, 10) ?? ''
    const body = async () => joined(files, parts)
    return { name: `my-data-${day}.zip`, type: 'application/zip', body }
  },
})

const asking: Pick<PrivacyHandlers, 'erasure' | 'request_erasure' | 'withdraw_erasure'> = {
  erasure: async ({ tx, actor }) => {
    const [erasure] = await rows(OwnErasure, newestOwn(tx, actor))
    return { erasure: erasure ?? null, blockers: await blockersOf(tx, actor.id) }
  },

  request_erasure: async ({ tx, actor, input: { reason } }) => {
    await tx`select request_erasure(${reason || null})`
    return row(OwnErasure, newestOwn(tx, actor))
  },

  withdraw_erasure: async ({ tx, actor }) => {
    await tx`select withdraw_erasure()`
    return row(OwnErasure, newestOwn(tx, actor))
  },
}

const deciding: Omit<PrivacyHandlers, Exporting | keyof typeof asking> = {
  erasures_waiting: async ({ tx, actor }) => {
    const [found] = await tx<[{ waiting: number; person_name: string | null }]>`
      select count(*)::int as waiting,
        (array_agg(p.full_name order by e.requested_at, e.id))[1] as person_name
      from erasures e join profiles p on p.id = e.person_id
      where e.status = ${mineToDecide(actor)} and e.person_id <> ${actor.id}`
    return found
  },

  erasures: async ({ tx, actor, input: { show, after } }) => {
    const open = ['requested', 'with_provider', 'under_way']
    const ended = ['done', 'refused', 'withdrawn']
    const { after_cursor, order_by, row_cursor } = keyset(tx, newest_first, true, after)
    const found = await rows(
      withCursor(FoundErasure),
      tx`select ${erasureColumns(tx, actor)}, ${row_cursor} as row_cursor from ${withNames(tx)}
        where e.status = any (${show === 'open' ? open : ended}) ${after_cursor}
        order by ${order_by} limit ${page_rows + 1}`,
    )
    const { page, next } = pageOf(found, page_rows)
    const erasures: Erasure[] = []
    for (const erasure of page) erasures.push(await withBlockers(tx, erasure))
    return { erasures, next }
  },

  find_erasure: ({ tx, actor, input: { id } }) => findErasure(tx, actor, id),

  approve_erasure: async ({ tx, actor, input: { id } }) => {
    await tx`select approve_erasure(${id})`
    return findErasure(tx, actor, id)
  },

  refuse_erasure: async ({ tx, actor, input: { id, refusal } }) => {
    await tx`select refuse_erasure(${id}, ${refusal})`
    return findErasure(tx, actor, id)
  },
}

export const privacyHandlers = (files: Files): PrivacyHandlers => ({
  ...exportHandlers(files),
  ...asking,
  ...deciding,
})

const exportColumns = (
  tx: Tx,
) => tx`id, status, percent, fault, size_bytes, requested_at, made_at, expires_at,
  downloads, downloaded_at`

const findExport = (tx: Tx, id: string) =>
  row(DataExport, tx`select ${exportColumns(tx)} from data_exports where id = ${id}`)

const ExportPart = z.object({
  storage_key: z.string(),
  file_key: z.int(),
  wrapped_key: z.instanceof(Uint8Array),
  parts: z.record(z.string(), z.tuple([z.int(), z.int()])),
  made_at: z.iso.datetime(),
})

/** One piece after the other, as fast as it is read and no faster. */
async function joined(files: Files, places: StoredFile[]): Promise<ReadableStream<Uint8Array>> {
  const [first, ...rest] = places
  // Read before anything is answered: a storage that is away is a refusal, not half a file.
  let ready = first ? await files.open(first, 'zip') : undefined
  return new ReadableStream({
    async pull(controller) {
      if (ready) controller.enqueue(ready)
      const next = rest.shift()
      if (!next) return controller.close()
      ready = await files.open(next, 'zip')
    },
  })
}

const newestOwn = (tx: Tx, actor: Actor) => tx`
  select id, status, requested_at, refusal, refused_side, ended_at from erasures
  where person_id = ${actor.id} order by requested_at desc, id limit 1`

const blockersOf = (tx: Tx, person_id: string) =>
  rows(
    ErasureBlocker,
    tx`select s.code, s.items, s.cents, c.currency from erasure_blockers(${person_id}) s
      left join profiles p on p.id = ${person_id} left join companies c on c.id = p.company_id`,
  )

const newest_first: KeysetOrder = [
  ['e.requested_at', 'timestamptz'],
  ['e.id', 'uuid'],
]

const mineToDecide = ({ role }: Actor) => (role === 'company_admin' ? 'requested' : 'with_provider')

const withNames = (tx: Tx) => tx`erasures e
  join profiles p on p.id = e.person_id
  left join companies c on c.id = e.of_company
  left join profiles hr on hr.id = e.hr_id
  left join profiles provider on provider.id = e.provider_id`

const erasureColumns = (tx: Tx, actor: Actor) => tx`
  e.id, e.person_id, p.full_name as person_name, p.email as person_email, c.name as company_name,
  e.status, e.reason, e.requested_at, e.refusal, e.refused_side, e.ended_at,
  hr.full_name as hr_name, e.hr_at, provider.full_name as provider_name, e.provider_at,
  e.status = ${mineToDecide(actor)} and e.person_id <> ${actor.id} as yours_to_decide`

const FoundErasure = Erasure.omit({ blockers: true, going: true })

/** With what stands against it and what would go, while it is open. */
async function withBlockers(tx: Tx, erasure: z.infer<typeof FoundErasure>): Promise<Erasure> {
  const open = erasure.status === 'requested' || erasure.status === 'with_provider'
  if (!open) return { ...erasure, blockers: [], going: [] }
  const blockers = await blockersOf(tx, erasure.person_id)
  const going = await rows(ItemsToErase, tx`select * from items_to_erase(${erasure.person_id})`)
  return { ...erasure, blockers, going }
}

const findErasure = async (tx: Tx, actor: Actor, id: string) =>
  withBlockers(
    tx,
    await row(
      FoundErasure,
      tx`select ${erasureColumns(tx, actor)} from ${withNames(tx)} where e.id = ${id}`,
    ),
  )
