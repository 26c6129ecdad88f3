// Receipts: taken in, shown to those who may see them, and given back.
import { z } from 'zod'
import { row, rows, type Tx } from '#lib/db.server.ts'
import type { Files, StoredFile } from '#lib/files.server.ts'
import { Buckets } from '#lib/limits.server.ts'
import type { FileAnswer } from '#lib/file-answer.server.ts'
import type { Handlers } from '#lib/serve.server.ts'
import type { WorkerPool } from '#lib/worker-pool.server.ts'
import { Problem } from '#problems.ts'
import { blackOutHandler } from './blacking.server.ts'
import type { Normalised } from './normalise.server.ts'
import { Receipt, ReceiptOpening, type receipts } from './receipts.contract.ts'
import { find, receiptColumns } from './rows.server.ts'

/** The rate for one person: a claim's worth at once, then one every few seconds. */
const sent_by_one = { burst: 30, per_second: 0.25 }

export const receiptsHandlers = (files: Files, workers: WorkerPool): Handlers<typeof receipts> => {
  const buckets = new Buckets(sent_by_one)
  return {
    upload: uploadHandler(files, workers, buckets),

    list: ({ tx, actor, input: { claim_id } }) =>
      rows(
        Receipt,
        claim_id === undefined
          ? tx`select ${receiptColumns(tx)} from receipts where company_id = ${actor.company_id}
              and person_id = ${actor.id} and claim_id is null
              and id not in (select copied_receipts(${actor.company_id})
                union all select claimed_receipts(${actor.company_id})) order by created_at, id`
          : tx`select ${receiptColumns(tx)} from receipts where company_id = ${actor.company_id}
              and claim_id = ${claim_id} order by created_at, id`,
      ),

    find: ({ tx, input: { id } }) => find(tx, id),

    black_out: blackOutHandler(files, workers, buckets),

    remove: async ({ tx, input: { id } }) => {
      await tx`select remove_receipt(${id})`
      return { id }
    },

    reuse: async ({ tx, actor, input: { ids } }) => {
      const [made] = await tx<[{ ids: string[] }]>`
        select to_json(reuse_receipts(${ids}::uuid[])) as ids`
      return rows(
        Receipt,
        tx`select ${receiptColumns(tx)} from receipts where company_id = ${actor.company_id}
          and id = any (${made.ids}::uuid[]) order by id`,
      )
    },

    thumbnail: async ({ tx, input: { id, size, page } }): Promise<FileAnswer> => {
      const what = size === 'small' ? 'glance' : 'picture'
      const found = await row(OpenedReceipt, tx`select * from open_receipt(${id}, ${what})`)
      const name = size === 'small' ? 'small' : `large-${page}`
      if (!(name in found.parts)) throw new Problem('not_found')
      const body = () => files.open(found, name)
      return { name: `${name}.webp`, type: 'image/webp', inline: true, body }
    },

    file: async ({ tx, input: { id } }): Promise<FileAnswer> => {
      const found = await row(OpenedReceipt, tx`select * from open_receipt(${id}, 'file')`)
      const name = nameOf(found.file_name, found.media_type)
      return { name, type: found.media_type, body: () => files.open(found, 'file') }
    },

    opens: async ({ tx, actor, input: { id } }) => {
      await find(tx, id)
      return rows(
        ReceiptOpening,
        tx`select id, opener_name, opener_role, what, purpose, at from receipt_openings
          where company_id = ${actor.company_id} and receipt_id = ${id} and opener_id <> ${actor.id}
          order by id desc limit 100`,
      )
    },
  }
}

/** Nothing of the file is looked at before its sender may send; no transaction waits for it. */
function uploadHandler(
  files: Files,
  workers: WorkerPool,
  buckets: Buckets,
): Handlers<typeof receipts>['upload'] {
  return async ({ input, body, within }) => {
    const { id, storage_key } = await within(async (tx, actor) => {
      if (!buckets.take(actor.id)) throw new Problem('too_many_requests')
      return row(OpenedUpload, tx`select * from open_upload()`)
    })
    try {
      const bytes = new Uint8Array(await new Response(body).arrayBuffer())
      const { answer, parts } = await workers.run({ what: 'normalise' }, bytes)
      const place = await files.put(storage_key, parts)
      const size_bytes = parts.find(({ name }) => name === 'file')?.bytes.length ?? 0
      return await within(async (tx) => {
        await keep(tx, { id, file_name: input.file_name, size_bytes }, answer as Normalised, place)
        return find(tx, id)
      })
    } catch (error) {
      // The first error is the one to tell; what can't be dropped now is swept within the hour.
      await within((tx) => tx`select drop_upload(${storage_key})`).catch(() => {})
      throw error
    }
  }
}

const OpenedUpload = z.object({ id: z.uuid(), storage_key: z.string() })

const OpenedReceipt = z.object({
  file_name: z.string(),
  media_type: z.string(),
  storage_key: z.string(),
  file_key: z.int(),
  wrapped_key: z.instanceof(Uint8Array),
  parts: z.record(z.string(), z.tuple([z.int(), z.int()])),
})

type ReceivedFile = { id: string; file_name: string; size_bytes: number }

function keep(tx: Tx, sent: ReceivedFile, made: Normalised, place: StoredFile) {
  const { media_type, sha256, likeness, pages, width, height } = made
  const bytes = (hex: string) => `\\x${hex}` // as PostgreSQL reads them
  const upload = {
    ...sent,
    media_type,
    likeness,
    pages,
    width,
    height,
    sha256: bytes(sha256),
    ...place,
    wrapped_key: bytes(Buffer.from(place.wrapped_key).toString('hex')),
  }
  return tx`select keep_upload(${tx.json(upload)})`
}

const endings: Record<string, string> = {
  'image/jpeg': '.jpg',
  'image/png': '.png',
  'image/webp': '.webp',
  'application/pdf': '.pdf',
}

/** The name under which it was sent, with the ending of what it is now. */
function nameOf(file_name: string, media_type: string): string {
  const bare = file_name.replace(/\.[a-z0-9]{1,5}$/i, '').replace(/[\p{Cc}\p{Cf}/\\]/gu, '')
  return (bare || 'receipt') + (endings[media_type] ?? '')
}
