// The parts of a text that are what somebody typed, whatever their case and accents.
import { withoutAccents } from '#lib/without-accents.ts'

type MarkedPart = { text: string; hit: boolean }

export function markedParts(text: string, typed: string): MarkedPart[] {
  const characters = Array.from(text)
  const plain = characters.map(withoutAccents)
  // The index in the text for each letter of the plain text, as a character may become two letters.
  const places = plain.flatMap(({ length }, at) => Array.from({ length }, () => at))
  const line = plain.join('')
  const hits = new Set<number>()
  for (const word of typed.split(/\s+/).map(plainWord).filter(Boolean))
    for (let at = line.indexOf(word); at >= 0; at = line.indexOf(word, at + 1))
      for (const place of places.slice(at, at + word.length)) hits.add(place)
  const parts: MarkedPart[] = []
  for (const [at, character] of characters.entries()) {
    const last = parts.at(-1)
    if (last?.hit === hits.has(at)) last.text += character
    else parts.push({ text: character, hit: hits.has(at) })
  }
  return parts
}

const plainWord = (word: string) => Array.from(word, withoutAccents).join('')
