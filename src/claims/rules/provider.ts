// Whether two writings name the same provider: as typed by a person, and as read from a receipt.

/** 'Dr. Müller GmbH' and 'DR MULLER': letters and digits alone, without what companies add to their names. */
const wordsOf = (name: string) =>
  name
    .normalize('NFKD')
    .replace(/\p{M}/gu, '')
    .toLowerCase()
    .split(/[^\p{L}\p{N}]+/u)
    .filter((word) => word && !legal_forms.has(word))

const legal_forms = new Set(
  'gmbh ag kg ohg ug ev llc ltd inc plc sa sas sarl srl spa bv nv ab oy as doo dd jdoo dr med prof the'.split(
    ' ',
  ),
)

export function sameProvider(one: string, other: string): boolean {
  const [a, b] = [wordsOf(one), wordsOf(other)]
  if (a.length === 0 || b.length === 0) return one.trim() === other.trim()
  if (a.join('') === b.join('')) return true
  const common = a.filter((word) => b.some((its) => alike(word, its)))
  return common.length * 2 > Math.min(a.length, b.length) && common.some(({ length }) => length > 3)
}

/** Reading confuses a letter now and then: one in five may differ. */
function alike(one: string, other: string): boolean {
  if (one === other) return true
  const longest = Math.max(one.length, other.length)
  return longest > 4 && distance(one, other) <= longest / 5
}

/** Letters to change, add or leave out to make one of the other. */
function distance(one: string, other: string): number {
  let before = Array.from({ length: other.length + 1 }, (_, at) => at)
  for (let i = 1; i <= one.length; i += 1) {
    const row = [i]
    for (let j = 1; j <= other.length; j += 1) {
      const change = (before[j - 1] ?? 0) + (one[i - 1] === other[j - 1] ? 0 : 1)
      row.push(Math.min(change, (before[j] ?? 0) + 1, (row[j - 1] ?? 0) + 1))
    }
    before = row
  }
  return before[other.length] ?? 0
}
