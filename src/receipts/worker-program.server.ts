// The program of a worker process: takes one file at a time and answers what was made or read of it.
import sharp from 'sharp'
import { z } from 'zod'
import { frames, writeFrame } from '#lib/worker-pool.server.ts'
import { Problem } from '#problems.ts'
import { blackOut } from './black-out.server.ts'
import { normalise, type FilePart } from './normalise.server.ts'
import { readReceipt } from './read.server.ts'
import { BlackedPart, receipt_types } from './receipts.contract.ts'

sharp.concurrency(1)
sharp.cache(false)

const ReceiptJob = z.object({
  what: z.enum(['normalise', 'read', 'black_out']),
  media_type: z.string().optional(),
  parts: BlackedPart.array().optional(),
  hints: z.object({ currency: z.string(), month_first: z.boolean(), today: z.string() }).optional(),
})

async function work(job: z.infer<typeof ReceiptJob>, bytes: Uint8Array) {
  if (job.what === 'normalise') {
    const { normalised, parts } = await normalise(bytes)
    return { answer: normalised, parts }
  }
  if (job.what === 'black_out') {
    const kind = z.enum(receipt_types).parse(job.media_type)
    const { media_type, parts } = await blackOut(bytes, kind, job.parts ?? [])
    return { answer: { media_type }, parts }
  }
  const hints = job.hints ?? { currency: 'EUR', month_first: false, today: '9999-12-31' }
  return { answer: await readReceipt(bytes, job.media_type ?? '', hints), parts: [] as FilePart[] }
}

for await (const { head, body } of frames(process.stdin)) {
  try {
    const { answer, parts } = await work(ReceiptJob.parse(head), body)
    const names = parts.map(({ name }) => name)
    const sizes = parts.map((part) => part.bytes.length)
    writeFrame(
      process.stdout,
      { answer, names, sizes },
      parts.map((part) => part.bytes),
    )
  } catch (error) {
    const refusal = error instanceof Problem ? { problem: error.code } : { fault: faultOf(error) }
    writeFrame(process.stdout, { ...refusal, sizes: [] }, [])
  }
}
process.exit(0) // whoever asked is gone

/** The log learns where it went wrong, and never what the file says. */
function faultOf(error: unknown): string {
  if (!(error instanceof Error)) return 'unknown'
  const where = error.stack?.split('\n').find((line) => line.includes(' at ')) ?? ''
  return `${error.name}${where}`
}
