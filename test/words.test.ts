// The check of all texts sees what people read, and nothing else.
import assert from 'node:assert/strict'
import { test } from 'node:test'
import {
  faultsOf,
  longWinded,
  misnamed,
  namesOfCode,
  namesOfSql,
  speller,
  textsOfCode,
  textsOfSql,
  toastsOf,
  wordsOf,
} from './words.ts'

const code = `
import { Card } from '#ui/Card.tsx'
const look = 'flex items-center gap-2'
const legal = 'gmbh ohg srl'.split(' ')
export const Page = () => (
  <Card title="What happened" className="text-sm text-soft">
    Nobody answered
    {\`\${count} claims were sent\`}
  </Card>
)
const rows = (tx) => tx\`select name from people where id = 'A name'\`
`

test('text between tags, titles and sentences are read; class names, SQL and imports are not', () => {
  const found = textsOfCode('src/claims/Page.tsx', code).map(({ at, text }) => [at, text.trim()])
  assert.deepEqual(found, [
    [6, 'What happened'],
    [7, 'Nobody answered'],
    [8, 'claims were sent'],
  ])
})

test('of SQL a literal that begins like a sentence is read, a comment is not', () => {
  const sql = "-- it's 'Not this'\nperform notify('Your claim''s money', 'claims');"
  assert.deepEqual(textsOfSql('a.sql', sql), [{ file: 'a.sql', at: 2, text: 'Your claim’s money' }])
})

test('a phrase of the list and a misspelt word are found where they stand; names are no words', () => {
  const text = 'Claim #7 is handed in to Jürgen, aproved by utilization@x.test in 9 signs'
  const faults = faultsOf([{ file: 'a.tsx', at: 3, text }], speller())
  assert.deepEqual(faults, [
    'a.tsx:3 “handed in”: write “submit” instead',
    'a.tsx:3 “9 signs”: write “characters” instead',
    'a.tsx:3 “aproved” is not a word that the dictionary knows',
  ])
})

test('words are British, but for those of the specification', () => {
  const knows = speller()
  assert.deepEqual(
    wordsOf('the colour of utilization, organised behaviour, isn’t it').filter((w) => !knows(w)),
    [],
  )
  assert.ok(!knows('flavor'))
})

test('names and comments are read word by word, and what was renamed stays so', () => {
  const code = "// made anew\nconst keyed_by = openWorkroom('a house')"
  assert.deepEqual(misnamed(namesOfCode('a.ts', code)), [
    'a.ts:1 “anew”: call it “again”',
    'a.ts:2 “keyed”: call it “keyset”',
    'a.ts:2 “workroom”: call it “worker pool”',
  ])
  const field = misnamed(namesOfCode('a.ts', 'const told = 1\nconst act = { told: 2 }'))
  assert.deepEqual(field, [
    'a.ts:1 “told”: call it “request, filter, notice, text, output, or what it is”',
  ])
  const sql = "-- reckoned\nselect take_batch('twin') from people"
  assert.deepEqual(misnamed(namesOfSql('a.sql', sql)), [
    'a.sql:1 “reckoned”: call it “compute”',
    'a.sql:2 “take batch”: call it “what it does”',
  ])
})

test('a toast says what was done without “is”; what it says besides may have one', () => {
  const code = `
const add = useWrite(api.add, ({ name }) => \`\${name} is added\`)
const end = useWrite(api.end, 'Password set. The rest is being tested')
const what = { done: 'Your address is confirmed', title: 'It is closed' }
toast(late ? 'Two were removed' : 'On its way')`
  assert.deepEqual(longWinded(toastsOf('a.tsx', code)), [
    'a.tsx:2 “is added”: a toast says “… added”',
    'a.tsx:4 “is confirmed”: a toast says “… confirmed”',
    'a.tsx:5 “were removed”: a toast says “… removed”',
  ])
})
