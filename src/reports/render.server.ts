// Turns a report into its files in a process of its own: drawing a hundred pages never stops the server, and the
// memory that it took is given back.
import type { Log } from '#lib/log.server.ts'
import { openWorkerPool, type WorkerPool } from '#lib/worker-pool.server.ts'
import type { ReportDocument } from './document.ts'
import { ReportFormat } from './reports.contract.ts'

export type RenderedFiles = Record<ReportFormat, Uint8Array>

export const drawingWorkers = (log: Log, within_ms = 120_000): WorkerPool =>
  openWorkerPool({
    program: new URL('drawing-program.server.ts', import.meta.url),
    size: 1,
    within_ms,
    memory_mb: 512,
    idle_ms: 5_000,
    too_slow: 'report_too_slow',
    too_heavy: 'report_too_large',
    broken: 'report_broken',
    log,
  })

export async function render(
  room: WorkerPool,
  document: ReportDocument,
  formats: readonly ReportFormat[] = ReportFormat.options,
): Promise<RenderedFiles> {
  const { parts } = await room.run({ what: 'draw', document, formats }, new Uint8Array())
  return Object.fromEntries(parts.map(({ name, bytes }) => [name, bytes])) as RenderedFiles
}

/** One document as its PDF alone. */
export const drawPdf =
  (room: WorkerPool) =>
  async (document: ReportDocument): Promise<Uint8Array<ArrayBuffer>> =>
    Uint8Array.from((await render(room, document, ['pdf'])).pdf)
