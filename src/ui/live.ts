// Live screens: when the server says that something changed, what is on screen is asked again.
import { useEffect } from 'react'
import { askAgain, noteRefusal, type ActCall } from './ask.ts'

type Stream = ActCall<Record<string, never>, ReadableStream<Uint8Array>>

const first_retry_ms = 1_000
const last_retry_ms = 30_000

/**
 * Follows the stream while the page is visible; whoever returns sees the present state. The stream ends when the person's
 * role or rights change: `onAgain`, called at each further stream and at a topic that begins with `theirs`, reads who they are
 * now.
 */
export function useLive(open: Stream, onAgain: () => Promise<void>, theirs: string) {
  useEffect(() => {
    let leaving = new AbortController()
    const begin = () => {
      leaving.abort()
      leaving = new AbortController()
      if (document.visibilityState === 'visible')
        void follow(open, { onAgain, theirs }, leaving.signal)
    }
    begin()
    document.addEventListener('visibilitychange', begin)
    return () => {
      leaving.abort()
      document.removeEventListener('visibilitychange', begin)
    }
  }, [open, onAgain, theirs])
}

type LiveOptions = { onAgain: () => Promise<void>; theirs: string }

async function follow(open: Stream, options: LiveOptions, signal: AbortSignal) {
  let retry_ms = first_retry_ms
  for (let first = true; !signal.aborted; first = false) {
    try {
      const stream = await open({}, { signal })
      // Events that came while nobody listened were missed.
      if (!first) {
        void askAgain()
        void options.onAgain()
      }
      retry_ms = first_retry_ms
      await listen(stream, options)
    } catch (error) {
      // A server out of reach is tried again. A refusal may mean that the session ended, and the stream with it.
      noteRefusal(error)
    }
    if (!signal.aborted) await pause(retry_ms, signal)
    retry_ms = Math.min(retry_ms * 2, last_retry_ms)
  }
}

async function listen(stream: ReadableStream<Uint8Array>, { onAgain, theirs }: LiveOptions) {
  const reader = stream.getReader()
  const decoder = new TextDecoder()
  let begun = '' // a line that was cut on its way
  for (;;) {
    const { done, value } = await reader.read()
    if (done) return
    const came = begun + decoder.decode(value, { stream: true })
    const end = came.lastIndexOf('\n') + 1
    const text = came.slice(0, end)
    begun = came.slice(end)
    if (text.includes('data:')) void askAgain()
    if (text.includes(`"${theirs}`)) void onAgain()
  }
}

/** A random pause, so that not all screens return at the same moment when a server is back. */
const pause = (about_ms: number, signal: AbortSignal) =>
  new Promise<void>((resolve) => {
    const timer = setTimeout(resolve, about_ms * (0.5 + Math.random()))
    signal.addEventListener('abort', () => {
      clearTimeout(timer)
      resolve()
    })
  })
