// Files on their way to the server: a few at a time, each with how far it is, or why it was refused.
import { useEffect, useRef, useState } from 'react'
import { Problem, problems } from '#problems.ts'
import { sentenceOf } from './failure.ts'

export type Sending = {
  key: number
  file: File
  /** The part that was sent, from 0 to 1; at 1 the server checks the file. */
  share: number
  fault?: string | undefined
  /** The same file may be taken at another time. */
  may_retry?: boolean
}

export type SendFile<T> = (
  file: File,
  options: { progress: (share: number) => void; signal: AbortSignal },
) => Promise<T>

type Options<T> = {
  send: SendFile<T>
  onKept: (kept: T) => void
  kept: number
  most: number
  largest_bytes: number
}

/** A faulty file stays faulty; a storage that was away comes back. */
const mayPass = (error: unknown) =>
  !(error instanceof Problem) ||
  problems[error.code][0] >= 500 ||
  error.code === 'too_many_requests'

const at_once = 2
let last_key = 0

export function useUploads<T>({ send, onKept, kept, most, largest_bytes }: Options<T>) {
  const [sending, setSending] = useState<Sending[]>([])
  const stops = useRef(new Map<number, AbortController>())
  const change = (key: number, news: Partial<Sending>) =>
    setSending((all) => all.map((one) => (one.key === key ? { ...one, ...news } : one)))
  const forget = (key: number) => setSending((all) => all.filter((one) => one.key !== key))

  useEffect(() => {
    const open = stops.current
    // Leaving the page cancels the uploads that are not done.
    return () => open.forEach((stop) => stop.abort())
  }, [])

  async function start({ key, file }: Sending) {
    const stop = new AbortController()
    stops.current.set(key, stop)
    try {
      const progress = (share: number) => change(key, { share })
      const taken = await send(file, { progress, signal: stop.signal })
      // Cancelled while its answer was on the way: it is not shown again.
      if (stop.signal.aborted) return
      onKept(taken)
      forget(key)
    } catch (error) {
      if (!stop.signal.aborted) change(key, { fault: sentenceOf(error), may_retry: mayPass(error) })
    }
    stops.current.delete(key)
  }

  useEffect(() => {
    const waiting = sending.filter(({ key, fault }) => !fault && !stops.current.has(key))
    const room = Math.max(0, at_once - stops.current.size)
    for (const one of waiting.slice(0, room)) void start(one)
  })

  return {
    sending,
    add: (files: readonly File[]) => {
      const under_way = sending.filter(({ fault }) => !fault).length
      const fresh = files.map((file, at): Sending => {
        const one = { key: (last_key += 1), file, share: 0 }
        const size = `${Math.round(largest_bytes / 2 ** 20)} MB`
        if (file.size > largest_bytes) return { ...one, fault: `This file is larger than ${size}` }
        if (kept + under_way + at >= most) {
          return {
            ...one,
            fault: `Up to ${most} files can be sent together. Remove one first`,
            may_retry: true,
          }
        }
        return one
      })
      setSending((all) => [...all, ...fresh])
    },
    retry(key: number) {
      const under_way = sending.filter(({ fault }) => !fault).length
      if (kept + under_way < most) change(key, { fault: undefined, share: 0 })
    },
    drop(key: number) {
      stops.current.get(key)?.abort()
      stops.current.delete(key)
      forget(key)
    },
  }
}
