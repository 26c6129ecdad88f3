// Whether two spellings name the same provider: one typed, one read from a receipt. If the name is blacked out, the database
// decides the same by marks (`same_provider` in src/receipts/blacking.sql).
import { withoutAccents } from '#lib/without-accents.ts'

/** Words that companies add to their names; `private.legal_forms()` has the same. */
export const legal_forms = new Set(
  'gmbh ag kg ohg ug ev llc ltd inc plc sa sas sarl srl spa bv nv ab oy as doo dd jdoo dr med prof the'.split(
    ' ',
  ),
)

/** 'Dr. Müller GmbH' and 'DR MULLER': letters and digits alone, without legal forms. */
const wordsOf = (name: string) =>
  withoutAccents(name)
    .split(/[^\p{L}\p{N}]+/u)
    .filter((word) => word && !legal_forms.has(word))

export function sameProvider(one: string, other: string): boolean {
  const [a, b] = [wordsOf(one), wordsOf(other)]
  if ((a.join('') || one.trim()) === (b.join('') || other.trim())) return true
  const [its, theirs] = [new Set(a), new Set(b)]
  const common = [...its].filter((word) => b.some((that) => alike(word, that)))
  const most = common.length * 2 > Math.min(its.size, theirs.size)
  // Words of up to three letters alone name nobody.
  return most && common.some(({ length }) => length > 3)
}

/** Reading confuses a letter now and then: one in five may differ. */
function alike(one: string, other: string): boolean {
  if (one === other) return true
  const longest = Math.max(one.length, other.length)
  return longest > 4 && distance(one, other) <= longest / 5
}

/** The letters to change, add or leave out to turn one word into the other. */
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
