// Receipts as people send them, and as the worker has read them.
import type { Receipt } from '#receipts/receipts.contract.ts'
import type { Company, Person, Scene } from './scene.ts'
import { until } from './until.ts'

export const send = (person: Person, file: Uint8Array<ArrayBuffer>, file_name = 'IMG_0042.jpg') =>
  person.api.receipts.upload({ file_name }, { file: new Blob([file]) })

export const bytesOf = async (file: Promise<Blob>) => Buffer.from(await (await file).arrayBuffer())

export const seen = (person: Person, id: string): Promise<Receipt> =>
  until(async () => {
    const found = await person.api.receipts.find({ id })
    return (found.read_state === 'read' || found.read_state === 'unreadable') && found
  }, 'the receipt is read')

/** Ties receipts to a claim as claims do it; answers its number. */
export function attaching({ sql }: Scene, acme: Company) {
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
