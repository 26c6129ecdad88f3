// The SQL statements inside a function in PL/pgSQL: PostgreSQL itself looks at them only when they run.

export type Piece = { sql: string; into?: string | undefined }

/** `a := b` and `if c then` become `select b` and `select c`; what builds its text when it runs is left out. */
export function piecesOf(source: string): { declared: Map<string, string>; pieces: Piece[] } {
  const text = source.replaceAll(/--[^\n]*/g, '').replace(/^\s*#\w+ \w+/, '')
  const [, declarations = '', body = ''] =
    /^\s*(?:declare\b([\s\S]*?))?\bbegin\b([\s\S]*)$/.exec(text) ?? []
  const declared = new Map<string, string>()
  const pieces: Piece[] = []
  for (const line of cut(declarations, ';')) {
    const [, name = '', type = '', value] =
      /^\s*(\w+)\s+(?:constant\s+)?(.+?)(?:\s*(?::=|\bdefault\b)\s*([\s\S]+))?$/.exec(line) ?? []
    if (name) declared.set(name, type.trim())
    if (value) pieces.push({ sql: `select ${value}`, into: name })
  }
  for (const statement of cut(body, ';')) pieces.push(...within(statement.trim(), declared))
  return { declared, pieces }
}

/** Splits at a word or sign, but not inside of brackets, texts and `case … end`. */
function cut(text: string, at: string): string[] {
  const parts: string[] = []
  let depth = 0
  let from = 0
  const tokens = /'(?:[^']|'')*'|(\$\w*\$)[\s\S]*?\1|[()[\]]|\b\w+\b|;/g
  let ends = 0
  for (const { 0: token, index } of text.matchAll(tokens)) {
    if (token === '(' || token === '[') depth += 1
    else if (token === ')' || token === ']') depth -= 1
    else if (token === 'case') ends += 1
    else if (token === 'end' && ends > 0) ends -= 1
    else if (token === at && depth === 0 && ends === 0) {
      parts.push(text.slice(from, index))
      from = index + token.length
    }
  }
  parts.push(text.slice(from))
  return parts.filter((part) => part.trim())
}

function headAndRest(text: string, at: string): [string, string] {
  const [head = ''] = cut(text, at)
  return [head, text.slice(head.length + at.length).trim()]
}

function within(text: string, declared: Map<string, string>): Piece[] {
  const [word = ''] = /^\w+/.exec(text) ?? []
  const rest = text.slice(word.length).trim()
  switch (word) {
    case 'begin':
    case 'else':
    case 'exception':
      return within(rest, declared)
    case 'when':
      return within(headAndRest(rest, 'then')[1], declared)
    case 'if':
    case 'elsif': {
      const [condition, then] = headAndRest(rest, 'then')
      return [{ sql: `select ${condition}` }, ...within(then, declared)]
    }
    case 'for': {
      const [head, then] = headAndRest(rest, 'loop')
      const [, name = '', query = ''] = /^(\w+)\s+in\s+([\s\S]+)$/.exec(head) ?? []
      const between = query.split('..')
      if (between.length === 2) declared.set(name, 'integer')
      return [
        { sql: between.length === 2 ? `select ${between.join(', ')}` : query, into: name },
        ...within(then, declared),
      ]
    }
    case 'foreach': {
      const [head, then] = headAndRest(rest, 'loop')
      return [{ sql: `select ${head.replace(/^\w+\s+in\s+array/, '')}` }, ...within(then, declared)]
    }
    case 'while': {
      const [condition, then] = headAndRest(rest, 'loop')
      return [{ sql: `select ${condition}` }, ...within(then, declared)]
    }
    case 'exit':
    case 'continue':
      return rest ? [{ sql: `select ${rest.replace(/^when/, '')}` }] : []
    case 'loop':
      return within(rest, declared)
    case 'end':
    case 'null':
    case 'get':
    case '':
      return []
    case 'return':
      return returned(rest)
    case 'raise':
      return raised(rest)
    case 'perform':
      return [{ sql: `select ${rest}` }]
    case 'execute':
      return [{ sql: `select ${cut(cut(rest, 'into')[0] ?? '', 'using')[0]}` }]
    default:
      return [plain(text)]
  }
}

function returned(rest: string): Piece[] {
  if (rest === '' || rest === 'next') return []
  if (rest.startsWith('query')) return [{ sql: rest.slice(5).trim() }]
  return [{ sql: `select ${rest.replace(/^next\s/, '')}` }]
}

function raised(rest: string): Piece[] {
  const [expression = ''] = cut(rest, 'using')
  const values = /^\w*\s*'(?:[^']|'')*'\s*,([\s\S]+)$/.exec(expression.trim())?.[1]
  return values ? [{ sql: `select ${values}` }] : []
}

function plain(text: string): Piece {
  const [, name, value] = /^([\w.]+(?:\[[^\]]*\])?)\s*:=\s*([\s\S]+)$/.exec(text) ?? []
  if (name) return { sql: `select ${value}`, into: name }
  const [into, , target] =
    /(?<!insert\s)\binto\s+(strict\s+)?((?:[\w.]+)(?:\s*,\s*[\w.]+)*)/.exec(
      text.replaceAll(/\binsert\s+into\b/g, 'insert     '),
    ) ?? []
  if (!into) return { sql: text }
  const at = text.replaceAll(/\binsert\s+into\b/g, 'insert     ').indexOf(into)
  return { sql: text.slice(0, at) + text.slice(at + into.length), into: target }
}
