// Text for programs that read Windows-1252: its letters as one byte each.

/** The 27 characters that stand where Latin-1 has control codes; five of those places are empty. */
const above: Record<string, number> = Object.fromEntries(
  Array.from('€ ‚ƒ„…†‡ˆ‰Š‹Œ Ž  ‘’“”•–—˜™š›œ žŸ', (character, at): [string, number] => [
    character,
    0x80 + at,
  ]).filter(([character]) => character !== ' '),
)

const byteOf = (character: string): number | undefined => {
  const code = character.codePointAt(0) ?? 0
  if (code < 0x80 || (code >= 0xa0 && code <= 0xff)) return code
  return above[character]
}

/** Characters that the alphabet lacks become the nearest letter, or a question mark. */
export function windows1252(text: string): Uint8Array<ArrayBuffer> {
  const bytes = Array.from(text.normalize('NFC')).flatMap((character) => {
    const byte = byteOf(character)
    if (byte !== undefined) return [byte]
    const plain = Array.from(character.normalize('NFKD').replace(/\p{M}/gu, ''), byteOf)
    return plain.length > 0 ? plain.map((one) => one ?? 63) : []
  })
  return Uint8Array.from(bytes)
}
