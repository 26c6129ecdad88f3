// The one or two characters that stand for a person.
const segmenter = new Intl.Segmenter('en')
const charactersOf = (word: string) => [...segmenter.segment(word)].map(({ segment }) => segment)

export function initialsOf(name: string): string {
  // Whole characters as people see them, so that an emoji or an accented letter is not cut in half.
  const words = name.trim().split(/\s+/).filter(Boolean).map(charactersOf)
  const last = words.length > 1 ? words.at(-1)?.[0] : words[0]?.[1]
  return ((words[0]?.[0] ?? '') + (last ?? '')).toUpperCase()
}
