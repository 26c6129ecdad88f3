// Filters of SCIM (RFC 7644, 3.4.2.2) and the paths of its patches (3.5.2), read into trees. Nothing of what was sent
// ever becomes SQL: src/connections/scim/matching.server.ts looks each name up in a list of its own.
import { Problem } from '#problems.ts'

const operators = ['eq', 'ne', 'co', 'sw', 'ew', 'gt', 'ge', 'lt', 'le'] as const
export type ScimOperator = (typeof operators)[number]
export type ScimValue = string | number | boolean | null

export type ScimFilter =
  | { is: 'and'; both: [ScimFilter, ScimFilter] }
  | { is: 'or'; both: [ScimFilter, ScimFilter] }
  | { is: 'not'; of: ScimFilter }
  | { is: 'pr'; name: string }
  | { is: ScimOperator; name: string; value: ScimValue }
  /** `emails[type eq "work"]` */
  | { is: 'within'; name: string; of: ScimFilter }

/** `emails[type eq "work"].value` */
export type Path = { name: string; filter?: ScimFilter; sub?: string }

const longest = 2000
const most_terms = 50
const deepest = 10

const token_patterns = [
  String.raw`(?<bracket>[()[\]])`,
  String.raw`(?<text>"(?:[^"\\]|\\.)*")`,
  String.raw`(?<number>-?\d+(?:\.\d+)?(?![\w.:-]))`,
  String.raw`(?<word>[A-Za-z$][\w$:.-]*)`,
  String.raw`(?<sub>\.[A-Za-z$][\w$]*)`,
]
const token = new RegExp(String.raw`\s*(?:${token_patterns.join('|')})`, 'y')

type Token = { bracket?: string; text?: string; number?: string; word?: string; sub?: string }

/** Names are equal in any case of letters, and with or without the core schema's prefix. */
export function plainName(name: string): string {
  const low = name.toLowerCase()
  const core = /^urn:ietf:params:scim:schemas:core:2\.0:(?:user|group)[:.]/.exec(low)
  return core ? low.slice(core[0].length) : low
}

class FilterReader {
  readonly #tokens: Token[] = []
  #at = 0
  #terms = 0
  #depth = 0
  readonly #fault: 'scim_filter' | 'scim_path'

  constructor(source: string, fault: 'scim_filter' | 'scim_path') {
    this.#fault = fault
    if (source.length > longest) this.fail()
    token.lastIndex = 0
    const text = source.trim()
    while (token.lastIndex < text.length) {
      const found = token.exec(text)
      if (!found) this.fail()
      this.#tokens.push({ ...found.groups })
    }
  }

  fail(): never {
    throw new Problem(this.#fault)
  }

  get done() {
    return this.#at >= this.#tokens.length
  }

  /** The next one, if it is such a word or bracket. */
  #take(what: string): boolean {
    const next = this.#tokens[this.#at]
    if ((next?.bracket ?? next?.word?.toLowerCase()) !== what) return false
    this.#at += 1
    return true
  }

  #name(): string {
    const { word } = this.#tokens[this.#at] ?? {}
    if (!word) this.fail()
    this.#at += 1
    return plainName(word)
  }

  filter(): ScimFilter {
    this.#depth += 1
    if (this.#depth > deepest) this.fail()
    let found = this.#all()
    while (this.#take('or')) found = { is: 'or', both: [found, this.#all()] }
    this.#depth -= 1
    return found
  }

  #all(): ScimFilter {
    let found = this.#one()
    while (this.#take('and')) found = { is: 'and', both: [found, this.#one()] }
    return found
  }

  #one(): ScimFilter {
    this.#terms += 1
    if (this.#terms > most_terms) this.fail()
    if (this.#take('not')) {
      if (!this.#take('(')) this.fail()
      return { is: 'not', of: this.#closed(')') }
    }
    if (this.#take('(')) return this.#closed(')')
    const name = this.#name()
    if (this.#take('[')) return { is: 'within', name, of: this.#closed(']') }
    if (this.#take('pr')) return { is: 'pr', name }
    const is = operators.find((operator) => this.#take(operator)) ?? this.fail()
    return { is, name, value: this.#value() }
  }

  #closed(bracket: ')' | ']'): ScimFilter {
    const of = this.filter()
    if (!this.#take(bracket)) this.fail()
    return of
  }

  #value(): ScimValue {
    const { text, number, word } = this.#tokens[this.#at] ?? {}
    this.#at += 1
    if (text !== undefined) {
      try {
        return JSON.parse(text) as string
      } catch {
        this.fail()
      }
    }
    if (number !== undefined) return Number(number)
    const literal = word?.toLowerCase()
    if (literal === 'true' || literal === 'false') return literal === 'true'
    if (literal === 'null') return null
    return this.fail()
  }

  path(): Path {
    const name = this.#name()
    if (!this.#take('[')) return { name }
    const filter = this.#closed(']')
    const sub = this.#tokens[this.#at]?.sub?.slice(1).toLowerCase()
    if (!sub) return { name, filter }
    this.#at += 1
    return { name, filter, sub }
  }
}

export function readFilter(source: string): ScimFilter {
  const reader = new FilterReader(source, 'scim_filter')
  const filter = reader.filter()
  return reader.done ? filter : reader.fail()
}

export function readPath(source: string): Path {
  const reader = new FilterReader(source, 'scim_path')
  const path = reader.path()
  return reader.done ? path : reader.fail()
}
