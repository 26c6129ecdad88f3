// The receipts of a form, as they are read.
import { useQueries } from '@tanstack/react-query'
import { useEffect } from 'react'
import { receipts_api } from '#api/receipts-api.ts'
import type { Receipt } from '#receipts/receipts.contract.ts'
import { queries } from '#ui/ask.ts'
import { isMissing } from '#ui/failure.ts'
import { idsIn } from './claim-form.ts'

export const isWaiting = ({ read_state }: Receipt) =>
  read_state === 'waiting' || read_state === 'reading'

const again_ms = 1500

/** The live stream tells when one is read. If the stream is cut off, polling finds it. */
export function useReceipts(ids: readonly string[]) {
  const answers = useQueries({
    queries: ids.map((id) => ({
      queryKey: [receipts_api.find.key, { id }],
      queryFn: () => receipts_api.find({ id }),
      // A failure is not thrown: what was typed in the form must stay.
      throwOnError: false,
    })),
  })
  const receipts = answers.flatMap(({ data }) => data ?? [])
  const gone = ids.filter((_, at) => isMissing(answers[at]?.error))
  const waiting = receipts
    .filter(isWaiting)
    .map(({ id }) => id)
    .join(',')
  useEffect(() => {
    if (!waiting) return undefined
    const timer = setInterval(() => {
      for (const id of idsIn(waiting)) {
        void queries.invalidateQueries({ queryKey: [receipts_api.find.key, { id }] })
      }
    }, again_ms)
    return () => clearInterval(timer)
  }, [waiting])
  return { receipts, gone }
}
