// The one or two signs that stand for a person.
const signs = new Intl.Segmenter('en')
const signsOf = (word: string) => [...signs.segment(word)].map(({ segment }) => segment)

export function initialsOf(name: string): string {
  // By signs as people see them: an emoji or an accented letter is never cut in half.
  const words = name.trim().split(/\s+/).filter(Boolean).map(signsOf)
  const last = words.length > 1 ? words.at(-1)?.[0] : words[0]?.[1]
  return ((words[0]?.[0] ?? '') + (last ?? '')).toUpperCase()
}
