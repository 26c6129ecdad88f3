// The program of the drawing room's process: takes one report at a time and answers its files.
import { frames, writeFrame } from '#lib/workroom.server.ts'
import { csvOf } from './csv.server.ts'
import type { Document } from './document.ts'
import { pdfOf } from './pdf.server.ts'
import { xlsxOf } from './xlsx.server.ts'

async function draw(document: Document) {
  const files = {
    csv: Buffer.from([...csvOf(document)].join('')),
    xlsx: await xlsxOf(document),
    pdf: await pdfOf(document),
  }
  const all = Object.values(files)
  const sizes = all.map(({ byteLength }) => byteLength)
  writeFrame(process.stdout, { names: Object.keys(files), sizes }, all)
}

for await (const { head } of frames(process.stdin)) {
  try {
    await draw((head as unknown as { document: Document }).document)
  } catch (error) {
    const fault = error instanceof Error ? (error.stack ?? error.message) : String(error)
    writeFrame(process.stdout, { fault, sizes: [] }, [])
  }
}
