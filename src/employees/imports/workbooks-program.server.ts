// The program of the process that opens workbooks: takes one at a time and answers the rows of its first sheet.
import { readSheet } from 'read-excel-file/node'
import { frames, writeFrame } from '#lib/worker-pool.server.ts'

const written = (cell: unknown): string => {
  if (cell === null || cell === undefined) return ''
  if (cell instanceof Date) {
    const day = cell.toISOString()
    return day.endsWith('T00:00:00.000Z') ? day.slice(0, 10) : day
  }
  return typeof cell === 'string' ? cell : JSON.stringify(cell)
}

for await (const { body } of frames(process.stdin)) {
  try {
    const sheet = await readSheet(body)
    const rows = Buffer.from(JSON.stringify(sheet.map((row) => row.map(written))))
    writeFrame(process.stdout, { names: ['rows'], sizes: [rows.byteLength] }, [rows])
  } catch {
    // Any error means that it can't be read.
    writeFrame(process.stdout, { problem: 'workbook_broken', sizes: [] }, [])
  }
}
