// Figures of few people stay hidden, and so do those from which they could be derived by subtraction.

export const people_min = 5

/** A figure by its name, how many people are behind it, and how large it is. */
type Figures = ReadonlyMap<string, { people: number; size: number }>
/** A sum and its parts: whoever knows all but one of them knows that one, too. */
export type SumLine = { sum: string; parts: readonly string[] }

/** The names of what has to be hidden. */
export function hiddenOf(figures: Figures, lines: readonly SumLine[]): Set<string> {
  const few = (people: number) => people > 0 && people < people_min
  const hidden = new Set([...figures].filter(([, { people }]) => few(people)).map(([name]) => name))
  const linesOf = new Map<string, SumLine[]>()
  for (const line of lines) {
    for (const name of [line.sum, ...line.parts]) {
      const known = linesOf.get(name)
      if (known) known.push(line)
      else linesOf.set(name, [line])
    }
  }
  const waiting = new Set(lines)
  for (const line of waiting) {
    waiting.delete(line)
    const more = oneMore(line, figures, hidden)
    if (more === undefined) continue
    hidden.add(more)
    for (const other of linesOf.get(more) ?? []) waiting.add(other)
  }
  return hidden
}

/** The other part of this line that must be suppressed, if any: the smallest that is not zero. */
function oneMore(
  { sum, parts }: SumLine,
  figures: Figures,
  hidden: Set<string>,
): string | undefined {
  const of = (name: string) => figures.get(name) ?? { people: 0, size: 0 }
  const gone = [sum, ...parts].filter((name) => hidden.has(name))
  if (gone.length === 0) return undefined
  const shown = [...parts, sum].filter((name) => !hidden.has(name) && of(name).people > 0)
  if (shown.length === 0) return undefined
  // Two hidden figures are known as a sum: that is fine only if enough people are behind one of them, or behind a sum that is
  // shown in place of all its parts.
  const enough = gone.some((name) => of(name).people >= people_min)
  const all_parts = !hidden.has(sum) && shown.every((name) => name === sum)
  if (gone.length > 1 && (enough || all_parts)) return undefined
  return shown.reduce((least, name) => (of(name).size < of(least).size ? name : least))
}

/** The names of parts and sums that are not shown; each part belongs to one sum. */
export function hiddenIn(
  parts: readonly { sum: string; part: string; people: number; size: number }[],
): Set<string> {
  const figures = new Map<string, { people: number; size: number }>()
  const of_sum = new Map<string, string[]>()
  for (const { sum, part, people, size } of parts) {
    figures.set(part, { people, size })
    const whole = figures.get(sum) ?? { people: 0, size: 0 }
    figures.set(sum, { people: whole.people + people, size: whole.size + size })
    of_sum.set(sum, [...(of_sum.get(sum) ?? []), part])
  }
  return hiddenOf(
    figures,
    [...of_sum].map(([sum, names]) => ({ sum, parts: names })),
  )
}
