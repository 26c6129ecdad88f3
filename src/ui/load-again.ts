/**
 * A new version replaced the files that this tab knew, or the line was cut for a moment: the whole page is loaded
 * again, at the address that was asked for. If that did not help, it is said.
 */
export function loadAgain(fault: unknown): Promise<never> {
  const [visit] = performance.getEntriesByType('navigation') as PerformanceNavigationTiming[]
  if (visit?.type === 'reload' && performance.now() < 10_000) throw fault
  window.location.reload()
  return new Promise(() => {})
}
