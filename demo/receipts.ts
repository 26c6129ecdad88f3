// Receipts of the last weeks: real files, so that they can be read, looked at and opened.
import PdfPages from 'pdfkit'
import { decimal } from '#lib/money.ts'
import type { Planned } from './claims.ts'
import { aurora } from './companies.ts'
import { daysAfter } from './days.ts'
import type { Staff } from './people.ts'
import type { Api, Stage } from './stage.ts'

/** Since then Aurora wants to see receipts here; before, payroll looked at them. */
export const receipts_since_days = 5

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
  const paper = new PdfPages({ size: 'A5', margin: 40 })
  const chunks: Buffer[] = []
  paper.on('data', (chunk: Buffer) => chunks.push(chunk))
  const [year, month, day] = service_on.split('-')
  const amount = `${decimal(cents, currency)} ${currency}`
  // No two providers print alike, and no two bills are the same picture.
  const look = Array.from(`${provider}${type}${person.email}`).reduce(
    (sum, sign) => (sum * 31 + sign.charCodeAt(0)) >>> 0,
    7,
  )
  const at = (steps: number, shift: number) => Math.floor(look / 2 ** shift) % steps
  paper.rect(at(5, 1) * 60, at(4, 4) * 20, 90 + at(4, 7) * 70, 26 + at(3, 9) * 30)
  paper.fill(['#0f766e', '#1d4ed8', '#9f1239', '#4d7c0f', '#6d28d9'][at(5, 11)])
  paper.fillColor('#000').moveDown(3 + at(6, 13))
  paper.fontSize(14 + at(4, 16)).text(provider)
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
