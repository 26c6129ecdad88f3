// @ts-check
// Long steps report their progress every two seconds. On standard error, for standard output is the log's.
// Plain JavaScript, because run.mjs speaks by it before anything is installed.

const every_ms = 2_000
/** Names the process that speaks for those that it starts. */
const speaker = 'HEALTHFUND_SPEAKER'

/** @typedef {{ isTTY?: boolean, write: (words: string) => unknown }} Out */
/** @typedef {ReturnType<typeof speaking>} Progress */

/**
 * Nothing of what is soon over, but never silence for longer, however many short stages follow each other. A terminal
 * has one line that changes, a file a line each time.
 */
export function speaking(/** @type {Out} */ out = process.stderr) {
  let what = () => ''
  let began = 0
  let shown = false
  let heard_at = Date.now()
  /** @type {ReturnType<typeof setTimeout> | undefined} */
  let timer

  function wait() {
    clearTimeout(timer)
    timer = setTimeout(say, Math.max(0, heard_at + every_ms - Date.now()))
    timer.unref()
  }

  function say() {
    const seconds = Math.round((Date.now() - began) / 1000)
    const line = `${what()}…${seconds > 0 ? ` ${seconds} s` : ''}`
    out.write(out.isTTY ? `\r\u001B[K${line}` : `${line}\n`)
    shown = true
    heard_at = Date.now()
    wait()
  }

  return {
    /** Names the step that begins now, until the next or `done`. */
    now(/** @type {string | (() => string)} */ words) {
      what = typeof words === 'string' ? () => words : words
      began = Date.now()
      wait()
    },
    done() {
      clearTimeout(timer)
      if (shown && out.isTTY) out.write('\r\u001B[K')
      shown = false
    },
  }
}

/** Environment for a process on whose behalf this one reports. */
export const spokenFor = () => ({ [speaker]: String(process.pid) })

/** Reports on behalf of a process that we started, which is too busy loading to do it in time. */
export function speakFor(
  /** @type {import('node:events').EventEmitter} */ child,
  /** @type {Progress} */ progress,
) {
  child.on('message', (/** @type {{ stage: string | null }} */ { stage }) => {
    if (stage === null) progress.done()
    else progress.now(stage)
  })
}

/** Stages, sent to the process that reports for us, or reported by ourselves if there is none. */
export function stages() {
  if (!process.send || process.env[speaker] !== String(process.ppid)) return speaking()
  const print = (/** @type {string | null} */ stage) => {
    // A listener that is gone needs no message.
    if (process.connected) process.send?.({ stage }, undefined, undefined, () => {})
  }
  return { now: (/** @type {string} */ stage) => print(stage), done: () => print(null) }
}
