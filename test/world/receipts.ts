// Receipts as people send them, as the worker has read them, with parts blacked out, and as they are stored.
import { readdir } from 'node:fs/promises'
import path from 'node:path'
import assert from 'node:assert/strict'
import sharp from 'sharp'
import { makeLog } from '#lib/log.server.ts'
import type { PagePart } from '#receipts/black-parts.ts'
import { sweepFiles } from '#receipts/jobs.server.ts'
import { linesIn, withPdf } from '#receipts/pdf.server.ts'
import type { Receipt } from '#receipts/receipts.contract.ts'
import { until } from '../until.ts'
import type { Company, Person } from './people.ts'
import type { Scene } from './scene.ts'

export const send = (person: Person, file: Uint8Array<ArrayBuffer>, file_name = 'IMG_0042.jpg') =>
  person.api.receipts.upload({ file_name }, { file: new Blob([file]) })

export const bytesOfFile = async (file: Promise<Blob>) =>
  Buffer.from(await (await file).arrayBuffer())

export const receiptOf = (person: Person, id: string): Promise<Receipt> =>
  until(async () => {
    const found = await person.api.receipts.find({ id })
    return (found.read_state === 'read' || found.read_state === 'unreadable') && found
  }, 'the receipt is read')

/** Ties receipts to a claim as claims do it; answers its number. */
export function makeAttach({ sql }: Scene, acme: Company) {
  let claims = 100
  return async (
    person: Person,
    receipts: { id: string }[],
    claim = (claims += 1),
    company = acme,
  ) => {
    const ids = receipts.map(({ id }) => id)
    await sql`select attach_receipts(${company.id}, ${person.id}, ${ids}::uuid[], ${claim})`
    return claim
  }
}

export const pagePart = (top: number, height: number, page = 1): PagePart => ({
  page,
  left: 0,
  top,
  width: 1,
  height,
})
/** The place of a line of the pharmacy's receipt, with a small margin. */
export const lineOf = (receipt: Receipt, read: 'amount' | 'on' | 'provider') => {
  const { left, top, width, height } = receipt.read_marks[read]!
  return { page: 1, left, top, width, height }
}

export async function sendReceipt(person: Person, file: Buffer<ArrayBuffer>, name = 'bill.pdf') {
  const { id } = await send(person, file, name)
  return receiptOf(person, id)
}
export const blackOutParts = (person: Person, receipt: Receipt, parts: PagePart[]) =>
  person.api.receipts.black_out({ ...versionOf(receipt), parts })
const versionOf = ({ id, blacked_times }: Receipt) => ({ id, blacked_times })

export const fileOf = (person: Person, { id }: { id: string }) =>
  bytesOfFile(person.api.receipts.file({ id }))
export const textOfPdf = (file: Buffer) =>
  withPdf(file, async (open) =>
    linesIn(open, 20).reduce<string[]>((pages, { text, spot }) => {
      if (spot) pages[spot.page] = `${pages[spot.page] ?? ''}\n${text}`
      return pages
    }, []),
  )

/** How light the lightest pixel of a part is, a pixel away from its edges: 0 is black. */
export async function lightestPixel(
  picture: Buffer,
  { left, top, width, height }: Omit<PagePart, 'page'>,
) {
  const { width: wide, height: high } = await sharp(picture).metadata()
  const inside = {
    left: Math.ceil(left * wide) + 3,
    top: Math.ceil(top * high) + 3,
    width: Math.floor(width * wide) - 6,
    height: Math.floor(height * high) - 6,
  }
  const { channels } = await sharp(await sharp(picture).extract(inside).png().toBuffer()).stats()
  return Math.max(...channels.slice(0, 3).map(({ max }) => max))
}

export const pictureOf = (person: Person, { id }: { id: string }) =>
  bytesOfFile(person.api.receipts.thumbnail({ id, size: 'large' }))

/** The check of the receipt: its outcome and its facts. */
export const matchIn = ({
  trace,
}: {
  trace: { rule: string; facts: Record<string, unknown> }[]
}) => {
  const facts = trace.find(({ rule }) => rule === 'receipt_match')?.facts
  return [facts?.['found'], facts?.['read_amount_cents'], facts?.['read_on']]
}

export type ReceiptStorage = ReturnType<typeof storageOf>

/** The receipts stored in its data folder. */
export function storageOf({ sql, services, env }: Scene) {
  const files = path.join(env.DATA_FOLDER, 'files')
  const stored = async () =>
    (await readdir(files, { recursive: true, withFileTypes: true }))
      .filter((entry) => entry.isFile())
      .map((entry) => path.relative(files, path.join(entry.parentPath, entry.name)))
  return {
    stored,
    async placeOf({ id }: { id: string }) {
      const [row] = await sql<[{ storage_key: string }]>`
        select storage_key from receipts where id = ${id}`
      return row.storage_key
    },
    /** Whether, after a sweep, each row has its one file and no other file is there. */
    async isWhole() {
      await sweepFiles(services.files)({}, { sql, log: makeLog('silent') })
      // Receipts that company.ts inserts have no file.
      const rows = await sql<{ storage_key: string }[]>`
        select distinct storage_key from receipts where parts <> '{}'`
      const named = rows.map(({ storage_key }) => storage_key)
      assert.deepEqual((await stored()).toSorted(), named.toSorted())
    },
  }
}
