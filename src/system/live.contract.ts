import { z } from 'zod'
import { stream } from '#lib/contract.ts'

export const live = {
  open: stream('/live', z.object({}), z.instanceof(ReadableStream<Uint8Array>)),
}
