// Turns a report into its files in a thread of its own: drawing a hundred pages never stops the server.
import { isMainThread, parentPort, Worker, workerData } from 'node:worker_threads'
import { csvOf } from './csv.server.ts'
import type { Document } from './document.ts'
import { pdfOf } from './pdf.server.ts'
import type { ReportFormat } from './reports.contract.ts'
import { xlsxOf } from './xlsx.server.ts'

export type Files = Record<ReportFormat, Uint8Array>

const heap_max_mb = 220

export const filesOf = async (document: Document): Promise<Files> => ({
  csv: Buffer.from([...csvOf(document)].join('')),
  xlsx: await xlsxOf(document),
  pdf: await pdfOf(document),
})

export function render(document: Document): Promise<Files> {
  return new Promise((resolve, reject) => {
    const thread = new Worker(new URL(import.meta.url), {
      workerData: { report: document },
      resourceLimits: { maxOldGenerationSizeMb: heap_max_mb },
    })
    thread.once('message', resolve)
    thread.once('error', reject)
    thread.once('exit', (code) => reject(new Error(`The drawing thread ended with ${code}`)))
  })
}

const given = workerData as { report?: Document } | null
if (!isMainThread && given?.report) parentPort?.postMessage(await filesOf(given.report), [])
