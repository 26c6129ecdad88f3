// The prose of the repository's pages in lines of at most 130 columns. `npm run check -- --write` breaks a paragraph
// again in which a line is wider, or ends long before the margin; tables, code and headings stay as they are.
import { writeFileSync } from 'node:fs'
import { doc_pages, read, root_url } from './sources.ts'

const widest = 130
/** A line that ends before it, with room for the word that begins the next one, was left by an edit. */
const half = 100

/** A line that is no part of a paragraph, and ends one. */
const isApart = (line: string) => /^\s*(?:$|[|#>]|<\/?\w|```)/.test(line) || / {2}$|\\$/.test(line)
const item = /^(\s*)(?:[-*]|\d+\.) +/

/** Words, with inline code and links whole: a line broken within one is hard to search for. */
const wordsIn = (text: string): string[] =>
  (text.match(/(?:`[^`]*`|\[[^\]]*\]\([^)]*\)|\S)+/g) ?? []).reduce<string[]>(
    // Words that would mean something else at the beginning of a line.
    (all, word) =>
      /^(?:[-*+>|#]+|\d+[.)])$/.test(word) && all.length > 0
        ? [...all.slice(0, -1), `${all.at(-1)} ${word}`]
        : [...all, word],
    [],
  )

const isHalf = (line: string, next?: string) =>
  next !== undefined && line.length < half && line.length + 1 + wordsIn(next)[0]!.length <= widest

function broken(paragraph: readonly string[]): string[] {
  const [first = ''] = paragraph
  if (!paragraph.some((line, at) => line.length > widest || isHalf(line, paragraph[at + 1])))
    return [...paragraph]
  const begins = item.exec(first)?.[0] ?? /^\s*/.exec(first)![0]
  const indent = ' '.repeat(begins.length)
  const lines = [begins]
  for (const word of wordsIn([first.slice(begins.length), ...paragraph.slice(1)].join(' '))) {
    const line = lines.at(-1)!
    const longer = line.trim() === '' || line === begins ? line + word : `${line} ${word}`
    if (longer.length <= widest || line === begins || line === indent)
      lines[lines.length - 1] = longer
    else lines.push(indent + word)
  }
  return lines
}

export function wrapped(page: string): string {
  const done: string[] = []
  let paragraph: string[] = []
  let in_code = false
  const end = () => {
    done.push(...broken(paragraph))
    paragraph = []
  }
  for (const line of page.split('\n')) {
    if (line.trimStart().startsWith('```')) in_code = !in_code
    if (in_code || isApart(line) || (paragraph.length === 0 && line.startsWith('    '))) {
      end()
      done.push(line)
    } else {
      if (item.test(line)) end()
      paragraph.push(line)
    }
  }
  end()
  return done.join('\n')
}

if (import.meta.main)
  for (const page of doc_pages) {
    const now = wrapped(read(page))
    if (now !== read(page)) writeFileSync(new URL(page, root_url), now)
  }
