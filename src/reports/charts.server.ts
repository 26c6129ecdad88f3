// Charts as lines and areas of a page: sharp at any size, readable without colour.
import { amount, isMonth, reportMonthName } from './show.ts'
import type { Chart, ChartSeries, ChartTone } from './document.ts'
import { ink, type Paper } from './paper.server.ts'

type ChartArea = { x: number; y: number; width: number; height: number }

const tones: Record<ChartTone, string> = {
  prevention: '#1E8A70',
  treatment: '#1F4590',
  solidarity: '#C764BF',
  primary: '#0E6A6A',
  accent: '#E39A3B',
  secondary: '#9DB4B8',
}
const marks = ['circle', 'square', 'triangle'] as const

export const chart_height = 215

export function drawChart(page: Paper, chart: Chart, box: ChartArea) {
  const { x, y, width } = box
  page.style('semibold', 10, ink.text).text(chart.title, x, y)
  drawLegend(page, chart, x, y + 16)
  const gaps = chart.series.some(({ values }) => values.includes(null))
  if (gaps) {
    const word = 'Gaps are suppressed figures'
    page.style('regular', 7, ink.faint)
    page.text(word, x + width - page.widthOfString(word) - 1, y + 18, { lineBreak: false })
  }
  const inside = { x, y: y + 36, width, height: box.height - 52 }
  if (chart.shape === 'horizontal_bars') drawHorizontal(page, chart, inside)
  else drawVertical(page, chart, inside)
}

function drawLegend(page: Paper, { series, shape }: Chart, x: number, y: number) {
  if (series.length < 2) return
  let at = x
  page.style('regular', 8)
  for (const [index, { name, tone }] of series.entries()) {
    if (shape === 'lines') drawMark(page, index, at + 3.5, y + 5, tones[tone])
    else page.roundedRect(at, y + 1.5, 7, 7, 1.5).fill(tones[tone])
    page.fillColor(ink.soft).text(name, at + 11, y, { lineBreak: false })
    at += 11 + page.widthOfString(name) + 14
  }
}

function drawMark(page: Paper, index: number, x: number, y: number, colour: string) {
  const mark = marks[index % marks.length]
  if (mark === 'circle') page.circle(x, y, 2.6).fill(colour)
  else if (mark === 'square') page.rect(x - 2.4, y - 2.4, 4.8, 4.8).fill(colour)
  else page.polygon([x - 3, y + 2.6], [x + 3, y + 2.6], [x, y - 3]).fill(colour)
}

const short = (value: number, unit: Chart['unit']): string =>
  unit === 'percent'
    ? `${value.toLocaleString('en')}%`
    : unit === 'count'
      ? value.toLocaleString('en')
      : amount({ cents: value, currency: unit.currency }).replace(/\.0+$/, '')

/** Round steps from nothing to at least the highest value. */
function stepsTo(highest: number): number[] {
  const rough = Math.max(highest, 1) / 4
  const size = 10 ** Math.floor(Math.log10(rough))
  const step = size * ([1, 2, 2.5, 5, 10].find((n) => n * size >= rough) ?? 10)
  return Array.from({ length: Math.ceil(Math.max(highest, 1) / step) + 1 }, (_, at) => at * step)
}

const highestOf = (series: ChartSeries[]) =>
  Math.max(0, ...series.flatMap(({ values }) => values.map((value) => value ?? 0)))

function drawVertical(page: Paper, chart: Chart, box: ChartArea) {
  const steps = stepsTo(highestOf(chart.series))
  const most = steps.at(-1) ?? 1
  page.style('regular', 7.5)
  const left = Math.max(...steps.map((step) => page.widthOfString(short(step, chart.unit)))) + 8
  const plot = { x: box.x + left, y: box.y, width: box.width - left, height: box.height - 16 }
  const yOf = (value: number) => plot.y + plot.height * (1 - value / most)
  for (const step of steps) {
    const y = yOf(step)
    page.moveTo(plot.x, y).lineTo(plot.x + plot.width, y)
    page.lineWidth(step === 0 ? 0.8 : 0.4).stroke(step === 0 ? ink.faint : ink.line)
    const word = short(step, chart.unit)
    page.fillColor(ink.faint)
    page.text(word, plot.x - 6 - page.widthOfString(word), y - 4, { lineBreak: false })
  }
  drawLabels(page, chart, plot)
  if (chart.shape === 'lines') drawLines(page, chart, plot, yOf)
  else drawBars(page, chart, plot, yOf)
}

function drawLabels(page: Paper, { labels }: Chart, plot: ChartArea) {
  const slot = plot.width / labels.length
  const names = labels.map((label) => (isMonth(label) ? reportMonthName(label) : label))
  page.style('regular', 7.5, ink.soft)
  const widest = Math.max(...names.map((name) => page.widthOfString(name))) + 6
  const every = Math.max(1, Math.ceil(widest / slot))
  for (const [at, name] of names.entries()) {
    if (at % every !== 0) continue
    const x = plot.x + slot * (at + 0.5) - page.widthOfString(name) / 2
    page.text(name, x, plot.y + plot.height + 5, { lineBreak: false })
  }
}

function drawBars(
  page: Paper,
  { series, labels }: Chart,
  plot: ChartArea,
  yOf: (value: number) => number,
) {
  const slot = plot.width / labels.length
  const bar = Math.min((slot * 0.72) / series.length, 26)
  for (const at of labels.keys()) {
    const first = plot.x + slot * (at + 0.5) - (bar * series.length) / 2
    for (const [index, { values, tone }] of series.entries()) {
      const value = values[at]
      if (!value) continue
      const height = plot.y + plot.height - yOf(value)
      page
        .rect(first + bar * index + 0.5, yOf(value), Math.max(bar - 1, 0.5), height)
        .fill(tones[tone])
    }
  }
}

function drawLines(
  page: Paper,
  { series, labels }: Chart,
  plot: ChartArea,
  yOf: (value: number) => number,
) {
  const slot = plot.width / labels.length
  for (const [index, { values, tone }] of series.entries()) {
    let before: [number, number] | undefined
    for (const [at, value] of values.entries()) {
      if (value === null) {
        before = undefined
        continue
      }
      const point: [number, number] = [plot.x + slot * (at + 0.5), yOf(value)]
      if (before)
        page
          .moveTo(...before)
          .lineTo(...point)
          .lineWidth(1.4)
          .stroke(tones[tone])
      drawMark(page, index, ...point, tones[tone])
      before = point
    }
  }
}

function drawHorizontal(page: Paper, { labels, series, unit }: Chart, box: ChartArea) {
  const values = series[0]?.values ?? []
  const most = Math.max(highestOf(series), 1)
  const row = Math.min(box.height / labels.length, 20)
  const left = 165
  const right = 44
  for (const [at, label] of labels.entries()) {
    const y = box.y + row * at
    const value = values[at] ?? 0
    const size = Math.min(8, row * 0.62)
    page.style('regular', size, ink.text)
    page.text(label, box.x, y + row / 2 - size * 0.62, {
      width: left - 10,
      height: size + 1,
      ellipsis: true,
      lineBreak: false,
    })
    const width = ((box.width - left - right) * value) / most
    page.roundedRect(box.x + left, y + row * 0.18, Math.max(width, 0.5), row * 0.64, 1.5)
    page.fill(tones[series[0]?.tone ?? 'primary'])
    page.fillColor(ink.soft)
    page.text(short(value, unit), box.x + left + width + 5, y + row / 2 - size * 0.62, {
      lineBreak: false,
    })
  }
}
