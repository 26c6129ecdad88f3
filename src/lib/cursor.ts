// Pages by key: where the next one begins travels in the address as one opaque word.
import { Problem } from '#problems.ts'

export const writeCursor = (parts: readonly string[]): string =>
  btoa(encodeURIComponent(JSON.stringify(parts))).replaceAll('=', '')

/** The parts of a key, or nothing without one. A key that was tampered with is bad input. */
export function readCursor(key: string | undefined, parts: number): string[] | undefined {
  if (!key) return undefined
  const read = parse(key)
  if (!Array.isArray(read) || read.length !== parts || read.some((p) => typeof p !== 'string')) {
    throw new Problem('invalid_input', { fields: { after: ['This is not the key of a page'] } })
  }
  return read as string[]
}

function parse(key: string): unknown {
  try {
    return JSON.parse(decodeURIComponent(atob(key)))
  } catch {
    return undefined
  }
}

/** One row more than asked for tells whether there is a next page, and where it begins. */
export function pageOf<Row extends { row_cursor: string[] }>(rows: Row[], limit: number) {
  const page = rows.slice(0, limit)
  const last = page.at(-1)
  return { page, next: rows.length > limit && last ? writeCursor(last.row_cursor) : null }
}
