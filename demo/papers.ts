// Bills as places print them, no two places alike: real PDF files, so that they can be read, looked at and opened.
import PdfPages from 'pdfkit'
import { decimal } from '#lib/money.ts'
import { items, providers, type CareProvider, type Style } from './providers.ts'

export type Bill = {
  provider: string
  type: string
  name: string
  on: string
  cents: number
  currency: string
}

type Paper = InstanceType<typeof PdfPages>
type BillLine = [what: string, amount: string]
type PaperContent = Bill &
  CareProvider & { day: string; number: number; lines: BillLine[]; total: string }

const sizes: Record<Style, [number, number]> = {
  slip: [230, 380],
  letter: [420, 595],
  table: [420, 595],
  card: [400, 430],
}

export function drawBill(bill: Bill): Promise<Uint8Array<ArrayBuffer>> {
  const about = providers[bill.provider]
  if (!about) throw new Error(`The demo knows no bills of ${bill.provider}`)
  const [year, month, day] = bill.on.split('-')
  const content = {
    ...bill,
    ...about,
    day: `${day}.${month}.${year}`,
    number: numberOf(bill),
    lines: linesOf(bill),
    total: money(bill.cents, bill),
  }
  const paper = new PdfPages({ size: sizes[about.style], margin: 0 })
  const chunks: Buffer[] = []
  paper.on('data', (chunk: Buffer) => chunks.push(chunk))
  styles[about.style](paper, content)
  paper.end()
  return new Promise((resolve) => {
    paper.on('end', () => resolve(new Uint8Array(Buffer.concat(chunks))))
  })
}

const money = (cents: number, { currency }: Bill) => `${decimal(cents, currency)} ${currency}`

/** Each bill has its own, and the same bill always the same. */
const numberOf = ({ provider, name, on }: Bill) =>
  Array.from(`${provider}${name}${on}`).reduce(
    (sum, character) => (sum * 31 + character.charCodeAt(0)) % 90_000,
    7,
  ) + 10_000

/** The last line takes what rounding left, so that they come to the total. */
function linesOf(bill: Bill): BillLine[] {
  const parts = items[bill.type] ?? [[bill.type, 100]]
  let left = bill.cents
  return parts.map(([what, percent], at) => {
    const last = at === parts.length - 1
    const cents = last ? left : Math.round((bill.cents * percent) / 500) * 5
    left -= cents
    return [what, money(cents, bill)]
  })
}

const soft = '#57534e'

/** One text to the left, one to the right, on one line. */
function row(paper: Paper, y: number, [left, right]: BillLine, margin: number) {
  const width = paper.page.width - 2 * margin
  paper.text(left, margin, y, { width, lineBreak: false })
  paper.text(right, margin, y, { width, align: 'right', lineBreak: false })
}

function rule(paper: Paper, y: number, margin: number, colour: string, width = 0.7) {
  paper.moveTo(margin, y).lineTo(paper.page.width - margin, y)
  paper.lineWidth(width).strokeColor(colour).stroke()
}

const styles: Record<Style, (paper: Paper, content: PaperContent) => void> = {
  /** Narrow, in the letters of a till. */
  slip(paper, { provider, street, tax, colour, day, number, lines, total }) {
    const [margin, width] = [18, paper.page.width - 36]
    const middle = { width, align: 'center' } as const
    paper.font('Courier-Bold').fontSize(12).fillColor(colour).text(provider, margin, 26, middle)
    paper.font('Courier').fontSize(7.5).fillColor('#000').text(street, margin, 44, middle)
    paper.text(`Tax no. ${tax}`, margin, 55, middle)
    paper.text('-'.repeat(42), margin, 70, middle)
    row(paper, 84, [`Date ${day}`, `Receipt ${number}`], margin)
    paper.text('Till 2', margin, 102)
    lines.forEach((line, at) => row(paper, 120 + at * 15, line, margin))
    const end = 126 + lines.length * 15
    paper.text('-'.repeat(42), margin, end, middle)
    paper.font('Courier-Bold').fontSize(10)
    row(paper, end + 14, ['TOTAL', total], margin)
    paper.font('Courier').fontSize(7.5)
    row(paper, end + 34, ['Paid by card', '**** 4412'], margin)
    bars(paper, margin + 40, end + 62, number)
    paper.text('Keep this slip for returns.', margin, end + 108, middle)
  },

  /** A doctor's letter: the name to the right, the bill as a paragraph of lines. */
  letter(paper, { provider, street, tax, colour, name, day, number, lines, total }) {
    const margin = 46
    const right = { width: paper.page.width - 2 * margin, align: 'right' } as const
    paper.font('Times-Bold').fontSize(17).fillColor(colour).text(provider, margin, 44, right)
    paper.font('Times-Roman').fontSize(9).fillColor(soft).text(street, margin, 66, right)
    rule(paper, 86, margin, colour)
    paper.fontSize(10).fillColor('#000').text(name, margin, 112)
    paper.font('Times-Bold').fontSize(13).text(`Bill ${number}`, margin, 176)
    paper.font('Times-Roman').fontSize(10).text(`Date of treatment: ${day}`, margin, 196)
    paper.text('For our services we charge', margin, 228)
    lines.forEach((line, at) => row(paper, 252 + at * 20, line, margin))
    const end = 256 + lines.length * 20
    rule(paper, end, margin, '#000')
    paper.font('Times-Bold').fontSize(11)
    row(paper, end + 9, ['Total', total], margin)
    paper
      .font('Times-Italic')
      .fontSize(10)
      .text('Paid at the desk, with thanks.', margin, end + 48)
    scrawl(paper, margin, end + 92, number, colour)
    paper.font('Times-Roman').fontSize(8).fillColor(soft)
    paper.text(`Tax number ${tax} · exempt from VAT`, margin, 550)
  },

  /** A clinic's form: a coloured edge, a box about the visit, a table. */
  table(paper, { provider, street, tax, colour, name, day, number, lines, total }) {
    const margin = 40
    paper.rect(0, 0, 12, paper.page.height).fill(colour)
    paper.font('Helvetica-Bold').fontSize(15).fillColor(colour).text(provider, margin, 40)
    paper.font('Helvetica').fontSize(8.5).fillColor(soft).text(street, margin, 60)
    paper.roundedRect(margin, 92, 340, 62, 5).lineWidth(0.7).strokeColor('#a8a29e').stroke()
    paper.fillColor('#000').fontSize(9)
    row(paper, 103, ['Patient', name], margin + 12)
    row(paper, 119, ['Date', day], margin + 12)
    row(paper, 135, ['Invoice', String(number)], margin + 12)
    paper.rect(margin, 176, 340, 20).fill(colour)
    paper.font('Helvetica-Bold').fontSize(9).fillColor('#fff')
    row(paper, 182, ['Service', 'Price'], margin + 10)
    paper.font('Helvetica').fillColor('#000')
    lines.forEach((line, at) => {
      row(paper, 206 + at * 24, line, margin + 10)
      rule(paper, 222 + at * 24, margin, '#d6d3d1')
    })
    const end = 214 + lines.length * 24
    paper.font('Helvetica-Bold').fontSize(11)
    row(paper, end, ['Total', total], margin + 10)
    paper.font('Helvetica').fontSize(8.5).fillColor(soft)
    paper.text('Received with thanks. This amount has been settled.', margin, end + 36)
    paper.text(`Tax number ${tax}`, margin, 552)
  },

  /** A club's or a shop's: its sign in the middle, few words. */
  card(paper, { provider, street, tax, colour, name, day, number, lines, total }) {
    const [margin, width] = [40, paper.page.width - 80]
    const middle = { width, align: 'center' } as const
    paper
      .circle(paper.page.width / 2, 52, 20)
      .lineWidth(3)
      .strokeColor(colour)
      .stroke()
    paper.circle(paper.page.width / 2, 52, 4 + (number % 9)).fill(colour)
    paper.font('Helvetica-Bold').fontSize(16).fillColor('#000').text(provider, margin, 86, middle)
    paper.font('Helvetica').fontSize(8.5).fillColor(soft).text(street, margin, 106, middle)
    paper.fillColor('#000').fontSize(9.5)
    row(paper, 146, [`Date ${day}`, `No. ${number}`], margin)
    paper.text(name, margin, 162)
    rule(paper, 184, margin, colour, 1.5)
    lines.forEach((line, at) => row(paper, 198 + at * 20, line, margin))
    const end = 204 + lines.length * 20
    rule(paper, end, margin, colour, 1.5)
    paper.font('Helvetica-Bold').fontSize(14)
    row(paper, end + 12, ['Total', total], margin)
    paper.font('Helvetica').fontSize(8.5).fillColor(soft)
    paper.text(`Paid by card · Tax number ${tax}`, margin, end + 56, middle)
  },
}

/** The bar code that a till prints for its own reader. */
function bars(paper: Paper, x: number, y: number, number: number) {
  for (let at = 0, from = x; at < 34; at += 1) {
    const width = 1 + ((number >> (at % 13)) & 1) + (at % 3 === 0 ? 1 : 0)
    paper.rect(from, y, width * 0.8, 30)
    from += width * 0.8 + 1.4
  }
  paper.fill('#000')
}

/** A signature, each its own. */
function scrawl(paper: Paper, x: number, y: number, number: number, colour: string) {
  paper.moveTo(x, y)
  for (let at = 1; at <= 7; at += 1) {
    const high = ((number >> at) % 17) - 6
    paper.quadraticCurveTo(x + at * 14 - 9, y - high - 9, x + at * 14, y + (at % 2 ? 4 : -5))
  }
  paper.lineWidth(1.1).strokeColor(colour).stroke()
}
