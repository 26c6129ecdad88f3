// Receipts of the last weeks: real files, so that they can be read, looked at and opened.
import PDFDocument from 'pdfkit'
import { decimal } from '#lib/money.ts'
import type { Planned } from './claims.ts'
import { aurora } from './companies.ts'
import { daysAfter } from './days.ts'
import type { Staff } from './people.ts'
import { receipts_since_days } from './reviews.ts'
import type { Api, Stage } from './stage.ts'

/** The ids of what was uploaded: nothing where none is asked for. */
export async function receiptFor(stage: Stage, { company }: Staff, claim: Planned, api: Api) {
  const since = daysAfter(stage.today, -receipts_since_days)
  if (company !== aurora || claim.submitted_on < since || claim.cents <= 2_500) return []
  const file = new Blob([await receiptOf(claim, company.currency)], { type: 'application/pdf' })
  const { id } = await api.receipts.upload({ file_name: 'receipt.pdf' }, { file })
  return [id]
}

function receiptOf(claim: Planned, currency: string): Promise<Uint8Array<ArrayBuffer>> {
  const { provider, type, service_on, cents, person, kin } = claim
  const paper = new PDFDocument({ size: 'A5', margin: 40 })
  const chunks: Buffer[] = []
  paper.on('data', (chunk: Buffer) => chunks.push(chunk))
  const [year, month, day] = service_on.split('-')
  const amount = `${decimal(cents, currency)} ${currency}`
  paper.fontSize(16).text(provider)
  paper.fontSize(9).fillColor('#555').text('Seestraße 12, 10115 Berlin · Steuernummer 30/123/45678')
  paper.moveDown(2).fillColor('#000').fontSize(12).text('Invoice')
  paper.fontSize(10).text(`Date: ${day}.${month}.${year}`)
  paper.text(`For: ${kin?.full_name ?? person.full_name}`)
  paper.moveDown().text(type).moveUp().text(amount, { align: 'right' })
  paper.moveDown().fontSize(12).text(`Total ${amount}`, { align: 'right' })
  paper.moveDown(2).fontSize(9).fillColor('#555').text('Paid with thanks.')
  paper.end()
  return new Promise((resolve) => {
    paper.on('end', () => resolve(new Uint8Array(Buffer.concat(chunks))))
  })
}
