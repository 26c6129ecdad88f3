// The repository tests its tests: how they wait, what they call a refusal, what they draw, which day they have.
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { timely } from './clock/calendar.ts'
import { files, read, source_files, unlikeExceptions } from './sources.ts'

const tests = [
  ...source_files.filter((file) => file.endsWith('.test.ts')),
  ...files('test', /\.ts$/).filter((file) => !file.startsWith('test/cluster/')),
]

test('a test waits by until.ts, which says what never came', () => {
  const paused = /timers\/promises|setTimeout\((?:resolve|done)\b/
  // Asking again without a pause: until a moment, or with a request in between. A stream is read, not asked.
  const loops =
    /now\(\) [<>]=? (?:deadline|until)\b|while \([(!]*await (?!reader\.read)|while \(.*\) await /
  assert.deepEqual(
    tests.filter((file) => paused.test(read(file)) || loops.test(read(file))),
    ['test/until.ts'],
  )
})

/** The text up to the bracket that closes the one before it. */
function inBrackets(text: string, from: number): string {
  let open = 1
  let to = from
  for (; open > 0 && to < text.length; to += 1) {
    if ('([{'.includes(text[to]!)) open += 1
    if (')]}'.includes(text[to]!)) open -= 1
  }
  return text.slice(from, to - 1)
}

/** Its second argument is an error that is expected: not missing, and not a sentence for the report. */
const expectsAnError = (words: string) => {
  let open = 0
  const comma = words
    .replace(/,\s*$/, '')
    .split('')
    .findIndex((letter) => {
      if ('([{'.includes(letter)) open += 1
      if (')]}'.includes(letter)) open -= 1
      return letter === ',' && open === 0
    })
  return comma > 0 && !/^\s*(?:['"`]|JSON\.|String\()/.test(words.slice(comma + 1))
}

test('a refusal is met by its code or its message: any failure would pass for one', () => {
  const bare = tests.flatMap((file) => {
    const text = read(file)
    return [...text.matchAll(/assert\.(?:rejects|throws)\(/g)]
      .map(({ 0: call, index }) => inBrackets(text, index + call.length))
      .filter((words) => !expectsAnError(words))
      .map((words) => `${file}: ${words.trim()}`)
  })
  assert.deepEqual(bare, [])
})

test('what is drawn at random can be drawn again: see test/random.ts', () => {
  const drawn = /Math\.random\(/
  assert.deepEqual(
    tests.filter((file) => drawn.test(read(file))),
    [],
  )
})

/** Tests that use no clock. */
const of_days_given = ['test/demo-plan.test.ts', 'test/e2e/health-checks.test.ts']

test('the day is the one it is at a company (todayOf); who computes it is played on hostile days', () => {
  const computed = /toISOString\(\)\.slice|getUTC(?:FullYear|Month|Date|Day)\b/
  const own_days = tests.filter(
    (file) =>
      file.endsWith('.test.ts') &&
      !file.startsWith('test/clock/') &&
      !timely.includes(file) &&
      computed.test(read(file)),
  )
  assert.deepEqual(unlikeExceptions(own_days, of_days_given), [])
})
