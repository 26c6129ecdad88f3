// A report on paper: two pages that say what happened, what changed and what to decide; then the tables.
import { heart } from '#ui/mark.ts'
import { chart_height, drawChart } from './charts.server.ts'
import { isSuppressed, type Cell, type ReportDocument, type Figure, type View } from './document.ts'
import { ink, margin, Paper } from './paper.server.ts'
import { changeText, dayName, momentName, cellWords } from './show.ts'
import { drawSheet, drawTable } from './tables.server.ts'

export async function pdfOf(document: ReportDocument): Promise<Buffer> {
  const paper = new Paper({ Title: document.title, Subject: document.description })
  const parts: Buffer[] = []
  paper.on('data', (part: Buffer) => parts.push(part))
  const written = new Promise((resolve) => paper.on('end', resolve))
  drawHead(paper, document)
  drawBoardPages(paper, document)
  // The tables begin a page of their own where figures and charts stand before them.
  if (document.sheets.length > 0 && document.views.length > 0) paper.y = paper.bottom
  for (const sheet of document.sheets) drawSheet(paper, sheet)
  drawNotes(paper, document.notes)
  drawFeet(paper, document)
  paper.end()
  await written
  return Buffer.concat(parts)
}

function drawBoardPages(
  paper: Paper,
  { happened, views, decide, charts, ...about }: ReportDocument,
) {
  const [main, ...others] = views
  const [first, ...more] = charts
  if (main) drawCards(paper, main)
  drawList(paper, main ? 'What happened' : 'In short', happened)
  if (first) drawCharts(paper, [first])
  if (main) drawChanges(paper, main, about)
  drawOthers(paper, others)
  if (main) drawList(paper, 'What to decide', decide.length > 0 ? decide : ['Nothing.'])
  drawCharts(paper, more)
}

function drawHead(
  paper: Paper,
  { title, type, description, scope, period, as_of }: ReportDocument,
) {
  paper.roundedRect(margin, margin, 16, 16, 4.5).fill(ink.primary)
  paper.save().translate(margin, margin).scale(0.5).path(heart).fill('#FFFFFF').restore()
  paper.style('semibold', 11).line('Healthfund', margin + 23, margin + 2)
  const right = paper.page.width - margin
  paper.style('medium', 8, ink.primary).endingAt(type.toUpperCase(), right, margin + 4)
  paper.style('semibold', 21)
  paper.text(title.split(' · ')[0] ?? title, margin, margin + 40, { width: paper.inner })
  paper.moveDown(0.15).style('medium', 11, ink.soft)
  paper.text(`${scope} · ${period}`, { width: paper.inner })
  paper.moveDown(0.3).style('regular', 9, ink.faint).text(description, { width: paper.inner })
  if (as_of) paper.moveDown(0.3).text(`As of ${momentName(as_of)}`, { width: paper.inner })
  paper.y += 14
}

const gap = 10
const card_height = 62

/** The first four figures, each with what it was. */
function drawCards(paper: Paper, { currency, figures }: View) {
  const cards = figures.slice(0, 4)
  const width = (paper.inner - gap * 3) / 4
  const y = paper.y
  for (const [index, { label, value, before, kind }] of cards.entries()) {
    const x = margin + (width + gap) * index
    paper.roundedRect(x, y, width, card_height, 6).fill(ink.wash)
    paper.style('regular', 7.5, ink.faint).endingAt(currency, x + width - 10, y + 9)
    paper.style('regular', 7.5, ink.soft).line(label, x + 10, y + 9, width - 44)
    const text = cellWords(value, kind)
    paper.style('semibold', 14, isSuppressed(value) ? ink.faint : ink.text)
    paper.fontSize(fitting(paper, text, width - 20, 14)).line(text, x + 10, y + 24)
    const change = changeText(value, before, kind)
    paper.style('regular', 7.5, ink.faint)
    if (change) paper.line(change, x + 10, y + 45, width - 20)
  }
  paper.x = margin
  paper.y = y + card_height + 18
}

function fitting(paper: Paper, text: string, width: number, size: number): number {
  const needs = paper.fontSize(size).widthOfString(text)
  return needs <= width ? size : Math.max(6, (size * width) / needs)
}

/** A heading, with enough room below it for something to stand there. */
function drawHeading(paper: Paper, title: string, needs: number) {
  if (paper.bottom - paper.y < needs + 22) paper.sheet()
  paper.style('semibold', 12).text(title, margin, paper.y)
  paper.y += 5
}

function drawList(paper: Paper, title: string, sentences: string[]) {
  if (sentences.length === 0) return
  drawHeading(paper, title, 30)
  for (const sentence of sentences) {
    paper.style('regular', 10)
    const width = paper.inner - 12
    if (paper.bottom - paper.y < paper.heightOfString(sentence, { width })) paper.sheet()
    paper.circle(margin + 3, paper.y + 6, 1.6).fill(ink.primary)
    paper.style('regular', 10).text(sentence, margin + 12, paper.y, { width })
    paper.y += 4
  }
  paper.x = margin
  paper.y += 14
}

function drawCharts(paper: Paper, charts: ReportDocument['charts']) {
  for (const chart of charts) {
    if (paper.bottom - paper.y < chart_height) paper.sheet()
    const box = { x: margin, y: paper.y, width: paper.inner, height: chart_height }
    drawChart(paper, chart, box)
    paper.x = margin
    paper.y = box.y + chart_height + 14
  }
}

type Periods = Pick<ReportDocument, 'period' | 'period_before'>

function drawChanges(
  paper: Paper,
  { currency, figures }: View,
  { period, period_before }: Periods,
) {
  if (figures.every(({ before }) => before === null)) {
    const nothing = `Nothing is known of ${period_before} to compare it with.`
    return drawList(paper, 'What changed', [nothing])
  }
  drawHeading(paper, `What changed, ${currency}`, 17 * figures.length + 34)
  const cellText = (cell: Cell, { kind }: Figure): Cell => cellWords(cell, kind)
  drawTable(paper, {
    columns: [
      { title: 'Figure', kind: 'text' },
      { title: period, kind: 'count' },
      { title: period_before, kind: 'count' },
      { title: 'Change', kind: 'count' },
    ],
    rows: figures.map((figure) => [
      figure.label,
      isSuppressed(figure.value) ? figure.value : cellText(figure.value, figure),
      isSuppressed(figure.before) ? figure.before : cellText(figure.before, figure),
      changeText(figure.value, figure.before, figure.kind) ?? null,
    ]),
    sums: [],
  })
  paper.y += 18
}

const others_max = 10

function drawOthers(paper: Paper, others: View[]) {
  const [first] = others
  if (!first) return
  const rows = others.slice(0, others_max)
  drawHeading(paper, 'The other currencies', 17 * rows.length + 34)
  const columns = first.figures.slice(0, 4)
  drawTable(paper, {
    columns: [
      { title: 'Currency', kind: 'text' },
      { title: 'Companies', kind: 'count' },
      ...columns.map(({ label: title, kind }) => ({ title, kind })),
    ],
    rows: rows.map(({ currency, companies, figures }) => [
      currency,
      companies,
      ...columns.map(
        ({ label }) => figures.find((figure) => figure.label === label)?.value ?? null,
      ),
    ]),
    sums: [],
  })
  const more = others.length - rows.length
  if (more > 0) {
    paper.y += 4
    paper.style('regular', 8, ink.faint).text(`${more} more in the tables.`, margin, paper.y)
  }
  paper.y += 18
}

function drawNotes(paper: Paper, notes: string[]) {
  for (const note of notes) {
    paper.style('regular', 8, ink.faint)
    const height = paper.heightOfString(note, { width: paper.inner })
    if (paper.bottom - paper.y < height) paper.sheet(paper.lies)
    paper.style('regular', 8, ink.faint).text(note, margin, paper.y, { width: paper.inner })
    paper.y += 4
  }
}

/** Title and page number at the foot of each page; below the margin, where text would begin a new page. */
function drawFeet(paper: Paper, { title, made_at }: ReportDocument) {
  const { start, count } = paper.bufferedPageRange()
  for (let at = start; at < start + count; at += 1) {
    paper.switchToPage(at)
    const y = paper.page.height - margin + 8
    paper.page.margins.bottom = 0
    paper.style('regular', 7.5, ink.faint)
    const made = `${title} · made on ${dayName(made_at)}, ${made_at.slice(11, 16)} UTC`
    paper.line(made, margin, y, paper.inner - 70)
    paper.endingAt(`${at - start + 1} / ${count}`, paper.page.width - margin, y)
  }
}
