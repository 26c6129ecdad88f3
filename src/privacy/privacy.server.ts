import { row, rows, type Tx } from '#lib/db.server.ts'
import type { Files, StoredFile } from '#lib/files.server.ts'
import { pageOf } from '#lib/cursor.ts'
import { keyset, withCursor, type KeysetOrder } from '#lib/keyset.server.ts'
import type { Handlers } from '#lib/serve.server.ts'
import type { Actor } from '#actor.ts'
import { z } from 'zod'
import {
  DataExport,
  Erasure,
  ErasureBlocker,
  OwnErasure,
  privacy,
  RequestRefusals,
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
    const refusals = await row(RequestRefusals, tx`select export_refusal() as request`)
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
    const blockers = await rows(ErasureBlocker, tx`select * from erasure_blockers(${actor.id})`)
    const refusals = await row(RequestRefusals, tx`select request_erasure_refusal() as request`)
    return { erasure: erasure ?? null, blockers, refusals }
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
  erasures_waiting: ({ tx, actor }) =>
    row(
      privacy.erasures_waiting.output,
      tx`select count(*)::int as waiting,
        (array_agg(p.full_name order by e.requested_at, e.id))[1] as person_name
      from erasures e join profiles p on p.id = e.person_id
      where e.status in ('requested', 'with_provider')
        and erasure_refusal('refuse', e, ${actor.id}) is null`,
    ),

  erasures: async ({ tx, actor, input: { show, after } }) => {
    const open = ['requested', 'with_provider', 'under_way']
    const ended = ['done', 'refused', 'withdrawn']
    const { after_cursor, order_by, row_cursor } = keyset(tx, newest_first, true, after)
    const found = await rows(
      withCursor(Erasure),
      tx`select ${erasureColumns(tx, actor)}, page.row_cursor from ${withNames(tx)}
        join (select e.id, ${row_cursor} as row_cursor from erasures e
          where e.status = any (${show === 'open' ? open : ended}) ${after_cursor}
          order by ${order_by} limit ${page_rows + 1}) page on page.id = e.id
        order by ${order_by}`,
    )
    const { page, next } = pageOf(found, page_rows)
    return { erasures: page, next }
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
  // Opened before the answer begins: if the storage does not answer, that is a refusal, not half a file.
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

const newest_first: KeysetOrder = [
  ['e.requested_at', 'timestamptz'],
  ['e.id', 'uuid'],
]

const withNames = (tx: Tx) => tx`erasures e
  join profiles p on p.id = e.person_id
  left join companies c on c.id = e.of_company
  left join profiles hr on hr.id = e.hr_id
  left join profiles provider on provider.id = e.provider_id
  cross join lateral (select coalesce((select json_agg(g) from items_to_erase(e.person_id) g
    where e.status in ('requested', 'with_provider')), '[]') as going offset 0) i`

const erasureColumns = (tx: Tx, actor: Actor) => tx`
  e.id, e.person_id, p.full_name as person_name, p.email as person_email, c.name as company_name,
  e.status, e.reason, e.requested_at, e.refusal, e.refused_side, e.ended_at,
  hr.full_name as hr_name, e.hr_at, provider.full_name as provider_name, e.provider_at,
  json_build_object(
    'approve', coalesce(erasure_refusal('approve', e, ${actor.id}), too_wide_refusal(i.going)),
    'refuse', erasure_refusal('refuse', e, ${actor.id})) as refusals,
  -- Both are asked while it is open only: afterwards nothing is left to settle or to count.
  coalesce((select json_agg(b) from erasure_blockers(e.person_id) b
    where e.status in ('requested', 'with_provider')), '[]') as blockers, i.going`

const findErasure = (tx: Tx, actor: Actor, id: string) =>
  row(Erasure, tx`select ${erasureColumns(tx, actor)} from ${withNames(tx)} where e.id = ${id}`)
