import { Failure, sentenceOf } from './failure.ts'
import { isOffline } from './online.ts'

/** A part of the product that could not be had. */
export class NotLoaded extends Failure {}

/**
 * A new version replaced the files that this tab knew, or the connection broke for a moment: the page is loaded again, at the
 * requested address. If that did not help, an error says so. Offline it is not tried, as the browser would show a page of its
 * own.
 */
function loadAgain(fault: unknown): Promise<never> {
  const [visit] = performance.getEntriesByType('navigation') as PerformanceNavigationTiming[]
  const has_reloaded = visit?.type === 'reload' && performance.now() < 10_000
  if (has_reloaded || isOffline()) throw new NotLoaded(sentenceOf(fault))
  window.location.reload()
  return new Promise(() => {})
}

/** A part that opens at a press: not asked for offline, as browsers may remember until the next reload that it wasn't there. */
export async function ifOnline<T>(load: () => Promise<T>): Promise<T> {
  if (isOffline()) throw new NotLoaded(sentenceOf(undefined))
  return load().catch(loadAgain)
}

/** A part that a page can't do without waits for a connection. */
export async function whenOnline<T>(load: () => Promise<T>): Promise<T> {
  if (isOffline())
    await new Promise((resolve) => addEventListener('online', resolve, { once: true }))
  return load().catch((fault: unknown) => (isOffline() ? whenOnline(load) : loadAgain(fault)))
}
