// Durations as the protocol writes them: 1h30m, 90s, 1.5h.

const seconds: Record<string, number> = {
  ns: 1e-9,
  us: 1e-6,
  µs: 1e-6,
  μs: 1e-6,
  ms: 1e-3,
  s: 1,
  m: 60,
  h: 3600,
}
// The longest the protocol can say: about 292 years.
const MOST = 9_223_372_036

export function readDuration(text: string): number | undefined {
  if (/^[-+]?0$/.test(text)) return 0
  const whole = /^([-+]?)((?:(?:\d+\.?\d*|\.\d+)(?:ns|us|µs|μs|ms|s|m|h))+)$/.exec(text)
  if (!whole) return undefined
  const [, sign, parts = ''] = whole
  const units = parts.matchAll(/(\d+\.?\d*|\.\d+)(ns|us|µs|μs|ms|s|m|h)/g)
  const sum = [...units].reduce(
    (total, [, count, unit = '']) => total + Number(count) * (seconds[unit] ?? 0),
    0,
  )
  if (sum > MOST) return undefined
  return sign === '-' ? -sum : sum
}
