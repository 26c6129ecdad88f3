// The program of a worker process: takes one report at a time and answers its files.
import { frames, writeFrame } from '#lib/worker-pool.server.ts'
import { csvOf } from './csv.server.ts'
import type { ReportDocument } from './document.ts'
import { pdfOf } from './pdf.server.ts'
import type { ReportFormat } from './reports.contract.ts'
import { xlsxOf } from './xlsx.server.ts'

type DrawInput = { document: ReportDocument; formats: ReportFormat[] }

const drawn: Record<ReportFormat, (document: ReportDocument) => Promise<Buffer>> = {
  csv: async (document) => Buffer.from([...csvOf(document)].join('')),
  xlsx: xlsxOf,
  pdf: pdfOf,
}

async function draw({ document, formats }: DrawInput) {
  const all: Buffer[] = []
  for (const format of formats) all.push(await drawn[format](document))
  const sizes = all.map(({ byteLength }) => byteLength)
  writeFrame(process.stdout, { names: formats, sizes }, all)
}

for await (const { head } of frames(process.stdin)) {
  try {
    await draw(head as unknown as DrawInput)
  } catch (error) {
    const fault = error instanceof Error ? (error.stack ?? error.message) : String(error)
    writeFrame(process.stdout, { fault, sizes: [] }, [])
  }
}
