// Privacy and terms say of which day their text is: whoever changes the text changes the day.
import assert from 'node:assert/strict'
import { createHash } from 'node:crypto'
import { readFileSync } from 'node:fs'
import { test } from 'node:test'
import { changed_on } from './changed-on.ts'

/** The words of a page, however its lines are broken, by the day they are said to be of. */
const known = {
  privacy: ['PrivacyPage.tsx', '26 November 2026', 'a4d25845ea11e5aa'],
  terms: ['TermsPage.tsx', '26 November 2026', '9080db60251584b0'],
} as const

for (const page of ['privacy', 'terms'] as const) {
  test(`the ${page} page has the day of its last change`, () => {
    const [file, day, print] = known[page]
    const source = readFileSync(new URL(file, import.meta.url), 'utf8')
    const words = source.slice(source.indexOf('const sections')).replaceAll(/[\s,]+/g, ' ')
    const found = createHash('sha256').update(words).digest('hex').slice(0, 16)
    assert.deepEqual(
      [changed_on[page], found],
      [day, print],
      `The text changed: set its day in changed-on.ts, and day and print (${found}) here`,
    )
  })
}
