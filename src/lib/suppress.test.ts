// Few people stay hidden, and nobody can work them out of what is shown.
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { array, assert as holds, integer, nat, property } from 'fast-check'
import { hiddenIn, hiddenOf, people_min, type SumLine } from './suppress.ts'

const figures = (counts: Record<string, [people: number, size: number]>) =>
  new Map(Object.entries(counts).map(([name, [people, size]]) => [name, { people, size }]))

test('a figure of four people is hidden, of five or of nobody it is shown', () => {
  const hidden = hiddenOf(figures({ a: [4, 10], b: [5, 10], c: [0, 0] }), [])
  assert.deepEqual([...hidden], ['a'])
})

test('a single hidden part takes the smallest other one with it, or the sum', () => {
  const line = { sum: 'all', parts: ['a', 'b', 'c', 'd'] }
  const counts = { a: [2, 10], b: [9, 50], c: [9, 40], d: [0, 0], all: [20, 100] } as const
  assert.deepEqual([...hiddenOf(figures({ ...counts } as never), [line])].sort(), ['a', 'c'])
  const alone = { sum: 'all', parts: ['a', 'd'] }
  const few = figures({ a: [2, 10], d: [0, 0], all: [2, 10] })
  assert.deepEqual([...hiddenOf(few, [alone])].sort(), ['a', 'all'])
})

test('two that are hidden, of few people each, are not told as one sum', () => {
  const line = { sum: 'all', parts: ['a', 'b', 'c'] }
  const hidden = hiddenOf(figures({ a: [1, 1], b: [2, 2], c: [9, 9], all: [12, 12] }), [line])
  assert.ok(hidden.has('c') || hidden.has('all'))
})

test('in any table with sums on both sides, no hidden cell follows from the others', () => {
  const cell = nat({ max: 12 })
  holds(
    property(
      integer({ min: 1, max: 5 }).chain((columns) =>
        array(array(cell, { minLength: columns, maxLength: columns }), {
          minLength: 1,
          maxLength: 6,
        }),
      ),
      (table) => {
        const figures_by_name = new Map<string, { people: number; size: number }>()
        const lines: SumLine[] = []
        const add = (name: string, number: number) =>
          figures_by_name.set(name, { people: number, size: number * 7 })
        const at = (row: number | '*', column: number | '*') => `${row} ${column}`
        const columns = [...table[0]!.keys()]
        for (const [row, cells] of table.entries()) {
          for (const [column, people] of cells.entries()) add(at(row, column), people)
          add(at(row, '*'), sum(cells))
          lines.push({ sum: at(row, '*'), parts: columns.map((column) => at(row, column)) })
        }
        const all_rows = [...table.keys()]
        for (const column of columns) {
          add(at('*', column), sum(table.map((cells) => cells[column]!)))
          lines.push({ sum: at('*', column), parts: all_rows.map((row) => at(row, column)) })
        }
        add(at('*', '*'), sum(table.flat()))
        lines.push({ sum: at('*', '*'), parts: all_rows.map((row) => at(row, '*')) })
        lines.push({ sum: at('*', '*'), parts: columns.map((column) => at('*', column)) })
        const hidden = hiddenOf(figures_by_name, lines)
        for (const [name, { people }] of figures_by_name) {
          if (people > 0 && people < people_min) assert.ok(hidden.has(name), `${name} is shown`)
        }
        for (const line of lines) {
          const names = [line.sum, ...line.parts].filter(
            (name) => figures_by_name.get(name)!.people > 0,
          )
          const gone = names.filter((name) => hidden.has(name))
          // A line that shows something beside what is hidden hides at least two: one alone follows from the sum.
          if (gone.length < names.length) assert.notEqual(gone.length, 1, JSON.stringify(line))
        }
      },
    ),
    { numRuns: 500 },
  )
})

test('of companies and their currency, one of few people hides the smallest other, or the sum', () => {
  const part = (name: string, people: number, size: number) => ({
    part: name,
    sum: 'EUR',
    people,
    size,
  })
  const three = hiddenIn([part('a', 2, 10), part('b', 5, 500), part('c', 5, 400)])
  assert.deepEqual([...three].toSorted(), ['a', 'c'])
  assert.deepEqual([...hiddenIn([part('a', 2, 10)])].toSorted(), ['EUR', 'a'])
  assert.deepEqual([...hiddenIn([part('a', 0, 0), part('b', 5, 500)])], [])
})

const sum = (numbers: number[]) => numbers.reduce((all, number) => all + number, 0)
