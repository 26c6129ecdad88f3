// Which backups stay: the newest of each of the last days, weeks and months that have one.
export type Keep = { days: number; weeks: number; months: number }

const day_ms = 86_400_000

/** `2026-11-22T021700`, as backups are named; nothing with another name is ever removed. */
export const stampOf = (at: Date) => at.toISOString().slice(0, 19).replaceAll(':', '')
const stamp = /^(\d{4}-\d\d-\d\d)T\d{6}$/

export function namesToDelete(names: readonly string[], { days, weeks, months }: Keep): string[] {
  const newest_first = names.filter((name) => stamp.test(name)).toSorted((a, b) => (a < b ? 1 : -1))
  const kept = new Set(newest_first.slice(0, 1))
  const keepOfEach = (count: number, spanOf: (name: string) => string | number) => {
    const spans = new Set<string | number>()
    for (const name of newest_first) {
      if (spans.has(spanOf(name)) || spans.size === count) continue
      spans.add(spanOf(name))
      kept.add(name)
    }
  }
  keepOfEach(days, (name) => name.slice(0, 10))
  keepOfEach(weeks, weekOf) // weeks begin on Monday
  keepOfEach(months, (name) => name.slice(0, 7))
  return newest_first.filter((name) => !kept.has(name))
}

/** A backup that began more than a day ago and is not whole never will be. */
export const isLongPast = (name: string) =>
  stamp.test(name) && name < stampOf(new Date(Date.now() - day_ms))

const weekOf = (name: string) => Math.floor((Date.parse(name.slice(0, 10)) / day_ms + 3) / 7)
