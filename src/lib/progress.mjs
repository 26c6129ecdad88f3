// @ts-check
// What takes long says so, every two seconds, to whoever waits. On standard error, for standard output is the log's.
// Plain JavaScript, because run.mjs speaks by it before anything is installed.

const every_ms = 2_000

/** @typedef {{ isTTY?: boolean, write: (words: string) => unknown }} Out */

/** Nothing of what is soon over; a terminal has one line that changes, a file a line each time. */
export function speaking(/** @type {Out} */ out = process.stderr) {
  let what = () => ''
  let began = 0
  let shown = false
  /** @type {ReturnType<typeof setInterval> | undefined} */
  let timer

  function say() {
    const seconds = Math.round((Date.now() - began) / 1000)
    const line = `${what()}… ${seconds} s`
    out.write(out.isTTY ? `\r\u001B[K${line}` : `${line}\n`)
    shown = true
  }

  function done() {
    clearInterval(timer)
    if (shown && out.isTTY) out.write('\r\u001B[K')
    shown = false
  }

  return {
    /** What is being done from now on, until the next or `done`. */
    now(/** @type {string | (() => string)} */ words) {
      done()
      what = typeof words === 'string' ? () => words : words
      began = Date.now()
      timer = setInterval(say, every_ms)
      timer.unref()
    },
    done,
  }
}
