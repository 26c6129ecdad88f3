// A report as pages to read and to print: A4, its own fonts, figures, charts, tables.
import { createRequire } from 'node:module'
import PdfPages from 'pdfkit'
import { chart_height, drawChart, ink, type Page } from './charts.server.ts'
import { isSuppressed, type Cell, type Document, type Sheet } from './document.ts'
import { shown } from './show.ts'

const font = (name: string) =>
  createRequire(import.meta.url).resolve(`@expo-google-fonts/inter/${name}.ttf`)
const fonts = {
  regular: font('400Regular/Inter_400Regular'),
  medium: font('500Medium/Inter_500Medium'),
  semibold: font('600SemiBold/Inter_600SemiBold'),
}
const margin = 48

export async function pdfOf(document: Document): Promise<Buffer> {
  const page = new PdfPages({
    size: 'A4',
    margins: { top: margin, left: margin, right: margin, bottom: margin },
    bufferPages: true,
    lang: 'en',
    displayTitle: true,
    font: fonts.regular,
    info: { Title: document.title, Author: 'Healthfund', Subject: document.description },
  })
  const parts: Buffer[] = []
  page.on('data', (part: Buffer) => parts.push(part))
  const written = new Promise((resolve) => page.on('end', resolve))
  for (const [name, file] of Object.entries(fonts)) page.registerFont(name, file)
  drawHead(page, document)
  drawFigures(page, document.figures)
  for (const chart of document.charts) {
    if (bottomOf(page) - page.y < chart_height) page.addPage()
    const box = { x: margin, y: page.y, width: widthOf(page), height: chart_height }
    drawChart(page, chart, box)
    page.y = box.y + chart_height + 14
  }
  for (const sheet of document.sheets) drawSheet(page, sheet)
  drawNotes(page, document.notes)
  drawFeet(page, document)
  page.end()
  await written
  return Buffer.concat(parts)
}

const widthOf = (page: Page) => page.page.width - 2 * margin
const bottomOf = (page: Page) => page.page.height - margin - 18

function drawHead(page: Page, { title, type, description, scope, period }: Document) {
  page.roundedRect(margin, margin, 16, 16, 4).fill(ink.primary)
  page.rect(margin + 7, margin + 4, 2, 8).fill('#FFFFFF')
  page.rect(margin + 4, margin + 7, 8, 2).fill('#FFFFFF')
  page.font('semibold').fontSize(11).fillColor(ink.text)
  page.text('Healthfund', margin + 23, margin + 2, { lineBreak: false })
  page.font('medium').fontSize(8).fillColor(ink.primary)
  const word = type.toUpperCase()
  page.text(word, page.page.width - margin - page.widthOfString(word), margin + 4, {
    lineBreak: false,
  })
  page.font('semibold').fontSize(21).fillColor(ink.text)
  page.text(title.split(' · ')[0] ?? title, margin, margin + 44, { width: widthOf(page) })
  page.moveDown(0.15).font('medium').fontSize(11).fillColor(ink.soft)
  page.text(`${scope} · ${period}`, { width: widthOf(page) })
  page.moveDown(0.3).font('regular').fontSize(9).fillColor(ink.faint)
  page.text(description, { width: widthOf(page) })
  page.y += 18
}

const gap = 10
const card_height = 50

function drawFigures(page: Page, figures: Document['figures']) {
  const width = (widthOf(page) - gap * 3) / 4
  for (let at = 0; at < figures.length; at += 4) {
    if (bottomOf(page) - page.y < card_height) page.addPage()
    const y = page.y
    for (const [index, { label, value, kind, note }] of figures.slice(at, at + 4).entries()) {
      const x = margin + (width + gap) * index
      page.roundedRect(x, y, width, card_height, 6).fill(ink.wash)
      page.font('regular').fontSize(7.5).fillColor(ink.faint)
      const beside = page.widthOfString(note)
      page.text(note, x + width - 10 - beside, y + 8, { lineBreak: false })
      page.fontSize(fitting(page, label, width - 26 - beside, 7.5)).fillColor(ink.soft)
      page.text(label, x + 10, y + 8, { lineBreak: false })
      page.font('semibold').fontSize(fitting(page, shown(value, kind), width - 20, 13))
      page.fillColor(isSuppressed(value) ? ink.faint : ink.text)
      page.text(shown(value, kind), x + 10, y + 24, { lineBreak: false })
    }
    page.x = margin
    page.y = y + card_height + gap
  }
  page.y += 10
}

function fitting(page: Page, text: string, width: number, size: number): number {
  page.fontSize(size)
  const needs = page.widthOfString(text)
  return needs <= width ? size : Math.max(6, (size * width) / needs)
}

const row_height = 17
const size = 7.5
const upright_width = 595.28 - 2 * margin

/** Broad tables lie on the side; each page repeats the head. */
function drawSheet(page: Page, sheet: Sheet) {
  const wanted = wantedWidths(page, sheet)
  const lies = page.page.width > page.page.height
  const broad = wanted.reduce((all, width) => all + width, 0) > upright_width
  const room = bottomOf(page) - page.y > 100
  const lying = broad || (lies && room) // what is narrow may stay on a lying page
  if (lying !== lies || !room) addPage(page, lying)
  page.font('semibold').fontSize(10).fillColor(ink.text).text(sheet.name, margin, page.y)
  page.y += 6
  const places = layOut(page, sheet, wanted)
  drawRowHead(page, sheet, places)
  if (sheet.rows.length === 0) {
    page.font('regular').fontSize(size).fillColor(ink.faint)
    page.text('Nothing in this period', margin + 4)
  }
  const summed = new Set(sheet.sums)
  for (const [at, row] of sheet.rows.entries()) {
    if (bottomOf(page) - page.y < row_height) {
      addPage(page, lying)
      drawRowHead(page, sheet, places)
    }
    drawRow(page, sheet, row, places, summed.has(at))
  }
  page.x = margin
  page.y += 22
}

const addPage = (page: Page, lying: boolean) => {
  page.addPage({ size: 'A4', layout: lying ? 'landscape' : 'portrait', margin })
  page.x = margin
  page.y = margin
}

type Place = { x: number; width: number; end: boolean }

/** Each column as wide as its longest text asks for; of very many rows every so many is looked at. */
function wantedWidths(page: Page, { columns, rows }: Sheet): number[] {
  page.font('semibold').fontSize(size)
  const every = Math.ceil(rows.length / 400)
  const sample = rows.filter((_, at) => at % every === 0)
  return columns.map(({ title, kind }, at) => {
    const head = Math.max(...title.split(' ').map((word) => page.widthOfString(word)))
    const texts = sample.map((row) => page.widthOfString(shown(row[at] ?? null, kind)))
    return Math.min(Math.max(head, ...texts), 190) + 10
  })
}

function layOut(page: Page, { columns }: Sheet, wanted: number[]): Place[] {
  const scale = widthOf(page) / wanted.reduce((all, width) => all + width, 0)
  let x = margin
  return columns.map(({ kind }, at) => {
    const width = (wanted[at] ?? 0) * scale
    const place = { x, width, end: kind !== 'text' && kind !== 'month' }
    x += width
    return place
  })
}

function drawRowHead(page: Page, { columns }: Sheet, places: Place[]) {
  const y = page.y
  page.font('medium').fontSize(size).fillColor(ink.soft)
  const height = Math.max(
    ...columns.map(({ title }, at) =>
      page.heightOfString(title, { width: (places[at]?.width ?? 0) - 8 }),
    ),
  )
  for (const [at, { title }] of columns.entries()) {
    const { x, width, end } = places[at] ?? { x: margin, width: 0, end: false }
    page.text(title, x + 4, y + 2, { width: width - 8, align: end ? 'right' : 'left' })
  }
  page.moveTo(margin, y + height + 6).lineTo(page.page.width - margin, y + height + 6)
  page.lineWidth(0.8).stroke(ink.faint)
  page.y = y + height + 7
}

function drawRow(page: Page, sheet: Sheet, row: Cell[], places: Place[], sum: boolean) {
  const y = page.y
  if (sum) page.rect(margin, y, widthOf(page), row_height).fill(ink.wash)
  for (const [at, cell] of row.entries()) {
    const { x, width, end } = places[at] ?? { x: margin, width: 0, end: false }
    const text = shown(cell, sheet.columns[at]?.kind ?? 'text')
    page.font(sum ? 'semibold' : 'regular')
    const fits = fitting(page, text, width - 8, size)
    page.fontSize(fits).fillColor(isSuppressed(cell) || cell === null ? ink.faint : ink.text)
    const cut = cutTo(page, text, width - 8)
    const left = end ? x + width - 4 - page.widthOfString(cut) : x + 4
    page.text(cut, left, y + (row_height - fits) / 2 - 1, { lineBreak: false })
  }
  page.moveTo(margin, y + row_height).lineTo(page.page.width - margin, y + row_height)
  page.lineWidth(0.4).stroke(ink.line)
  page.y = y + row_height
}

function cutTo(page: Page, text: string, width: number): string {
  if (page.widthOfString(text) <= width + 0.5) return text
  let cut = text
  while (cut.length > 1 && page.widthOfString(`${cut}…`) > width) cut = cut.slice(0, -1)
  return `${cut}…`
}

function drawNotes(page: Page, notes: string[]) {
  page.font('regular').fontSize(8)
  for (const note of notes) {
    const height = page.heightOfString(note, { width: widthOf(page) })
    if (bottomOf(page) - page.y < height) addPage(page, page.page.width > page.page.height)
    page.font('regular').fontSize(8).fillColor(ink.faint)
    page.text(note, margin, page.y, { width: widthOf(page) })
    page.y += 4
  }
}

/** What it is and which page, at the foot of each; below the margin, where text would begin a new page. */
function drawFeet(page: Page, { title, made_at }: Document) {
  const { start, count } = page.bufferedPageRange()
  for (let at = start; at < start + count; at += 1) {
    page.switchToPage(at)
    const y = page.page.height - margin + 8
    page.page.margins.bottom = 0
    page.font('regular').fontSize(7.5).fillColor(ink.faint)
    const made = `${title} · made ${made_at.slice(0, 16).replace('T', ' ')} UTC`
    page.text(cutTo(page, made, widthOf(page) - 70), margin, y, { lineBreak: false })
    const number = `${at - start + 1} / ${count}`
    page.text(number, page.page.width - margin - page.widthOfString(number), y, {
      lineBreak: false,
    })
  }
}
