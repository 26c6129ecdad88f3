// Files of SQL, statement by statement: whatever fails is named by its file and line.
import { createHash } from 'node:crypto'
import { readFile } from 'node:fs/promises'
import type { DatabaseError } from 'pg'
import type { Tag } from './statements.server.ts'

const root = new URL('../../', import.meta.url)

/** `path` is from the root of the repository: `db/004_people.sql`. */
export type SqlFile = { path: string; text: string; hash: string }

export async function readSql(path: string): Promise<SqlFile> {
  const text = await readFile(new URL(path, root), 'utf8')
  return { path, text, hash: createHash('sha256').update(text).digest('hex') }
}

/** Parts that may contain a semicolon, and the semicolon that ends a statement. */
const parts =
  /--[^\n]*|'(?:[^']|'')*'|"[^"]*"|(\$\w*\$)[\s\S]*?\1|\bbegin atomic\b[\s\S]*?\nend(?=;)|;/g

type FileStatement = { line: number; text: string }

export function statementsOf(text: string): FileStatement[] {
  const statements: FileStatement[] = []
  let from = 0
  for (const { 0: part, index } of text.matchAll(parts)) {
    if (part !== ';') continue
    const start = from + beginningOf(text.slice(from, index))
    statements.push({ line: lineAt(text, start), text: text.slice(start, index + 1) })
    from = index + 1
  }
  return statements
}

/** The offset behind blank lines and comments. */
const beginningOf = (text: string) => /^(?:\s+|--[^\n]*)*/.exec(text)?.[0].length ?? 0
const lineAt = (text: string, at: number) => text.slice(0, at).split('\n').length

/** Sent together, so that a thousand statements wait for the network a few times only. */
export async function runSql(tx: Tag, file: SqlFile) {
  await Promise.all(
    statementsOf(file.text).map(({ line, text }) =>
      tx.unsafe(text).catch((error: DatabaseError) => {
        const within = error.position ? lineAt(text, Number(error.position)) - 1 : 0
        const message = `${file.path}:${line + within}: ${error.message}`
        throw Object.assign(new Error(message, { cause: error }), { code: error.code })
      }),
    ),
  )
}
