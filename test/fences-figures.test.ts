// A figure that stands in two places is one: what people read and what a form asks is what the rule of SQL says.
import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import { acts_of_rights } from '#permissions/key-rights.ts'
import { callers } from '#policy.ts'
import { same_figures } from './same-figures.ts'
import { read, source_files, sql_files, unlikeExceptions } from './sources.ts'

describe('a figure that stands in two places', () => {
  test('is the one that is asked', () => {
    for (const [page, text, source, rule] of same_figures)
      assert.deepEqual(
        numbers(text.exec(read(page))),
        numbers(rule.exec(read(source))),
        `${page} and ${source}`,
      )
  })

  test('is one of those that are compared, once a sentence says it', () => {
    const texts = source_files.filter((file) => !/\.test\.ts$|\.server\.ts$|^src\/lib\//.test(file))
    const found = texts.flatMap((file) => {
      const text = read(file)
      const compared = same_figures
        .flatMap(([page, at_page, source, at_source]) => [
          ...(page === file ? [at_page] : []),
          ...(source === file ? [at_source] : []),
        ])
        .flatMap((place) => [...text.matchAll(new RegExp(place, 'g'))])
      return [...text.matchAll(file.endsWith('problems.ts') ? of_problem : of_sentence)]
        .filter(({ index }) => {
          const line = text.slice(text.lastIndexOf('\n', index) + 1, index)
          return !/^\s*(?:\/\/|\/?\*)|\.(?:min|max)\(/.test(line)
        })
        .filter(({ index }) => !compared.some((one) => isWithin(index, one)))
        .map(([figure]) => `${file}: ${figure}`)
    })
    assert.deepEqual(unlikeExceptions(found, compared_with_nothing), [])
  })

  test('is a bound of a field and its message', () => {
    const bounds = source_files.flatMap((file) => [
      ...read(file).matchAll(
        /\.(?:min|max)\(\s*([\d_]+),\s*['"`](?:[^'"`\d]*?)(\d[\d,]*)[^'"`]*['"`]/g,
      ),
    ])
    assert.ok(bounds.length > 40, `only ${bounds.length} were found`)
    const differing = bounds
      .filter(([, bound, named]) => Number(bound!.replaceAll('_', '')) !== figureOf(named!))
      .map(([text]) => text)
    assert.deepEqual(differing, [])
  })

  test('of which one has to be larger is: an act can be undone for longer than that is offered', () => {
    const [shown] = numbers(/undo_shown_ms = ([\d_]+)/.exec(read('src/ui/toast.ts')))
    const undo_time = /function private\.undo_time[^;]*interval '(\d+) seconds'/
    const [kept] = numbers(undo_time.exec(read('src/notifications/undo.sql')))
    assert.ok(kept! * 1000 > shown!)
  })
})

test('a key’s right opens what the right of people behind it does', () => {
  const behind =
    /function private\.right_behind[^;]*case when key_right like '(\w+):%' then '(\w+)' else '(\w+)' end/
  const [, prefix, theirs, other] = behind.exec(read('src/connections/keys.sql')) as string[]
  for (const [right, acts] of Object.entries(acts_of_rights))
    for (const act of acts) {
      const named = right.startsWith(`${prefix}:`) ? theirs : other
      assert.ok((callers[act] as readonly string[]).includes(named!), `${right}: ${act}`)
    }
})

const in_words = ['one', 'two', 'three']
const figureOf = (text: string) =>
  in_words.indexOf(text) + 1 || Number(text.replaceAll(/[_,]/g, ''))
const numbers = (found: RegExpExecArray | null) =>
  found!
    .slice(1)
    .map(figureOf)
    .toSorted((a, b) => a - b)

const of_problem = /(?<![\w-])\d[\d,]* [a-zA-Z]+/g
const of_sentence =
  /(?<![\w.$#(-])\d+(?:, \d+)*(?: and \d+)? (?:minute|hour|day|month|year|percent)s?\b/g
const isWithin = (at: number, place: RegExpMatchArray) =>
  at >= place.index! && at < place.index! + place[0].length

/** Promises of people, a period that the next word computes, and what a phone has of the 52 million pixels taken. */
const compared_with_nothing = [
  'src/receipts/problems.ts: 50 megapixels',
  'src/landing/ContactPage.tsx: 5 minutes',
  'src/landing/LandingPage.tsx: 5 minutes',
  'src/landing/TermsPage.tsx: 90 days',
  'src/landing/TermsPage.tsx: 30 days',
  'src/reports/kinds.ts: 12 months',
]

describe('the rights for whose acts it takes two', () => {
  test('are those for which a second person is asked for', () => {
    const asking =
      /\b(?:(?:has|next)_second_person|counts_as_one\w*|own_(?:money|benefit)_refusal)\(\s*'(\w+)'/g
    const found = [...sql_files, ...source_files]
      .filter((file) => !file.endsWith('.test.ts'))
      .flatMap((file) => [...read(file).matchAll(asking)].map(([, kind]) => kind!))
    const rule = /function takes_two\b[^;]*/.exec(read('src/permissions/second-person.sql'))![0]
    const named = [...rule.matchAll(/'(\w+)'/g)].map(([, kind]) => kind!)
    assert.deepEqual([...new Set(found)].toSorted(), named.toSorted())
  })
})
