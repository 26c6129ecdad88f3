// A filter as a condition of SQL: names are looked up in a list, values travel beside the statement.
import type { SqlPart, Tx } from '#lib/db.server.ts'
import { Problem } from '#problems.ts'
import type { ScimFilter, ScimOperator, ScimValue } from './filter.ts'

/** The column of an attribute, and how it is compared. */
type ScimColumn = { sql: string; kind: 'text' | 'exact' | 'boolean' | 'instant' | 'several' }
export type ScimColumns = Readonly<Record<string, ScimColumn>>

const order = { gt: '>', ge: '>=', lt: '<', le: '<=' }
const isOrder = (is: ScimOperator): is is keyof typeof order => Object.hasOwn(order, is)

export function conditionFor(
  tx: Tx,
  filter: ScimFilter,
  columns: ScimColumns,
  inside = '',
): SqlPart {
  const on = (one: ScimFilter) => conditionFor(tx, one, columns, inside)
  switch (filter.is) {
    case 'and':
      return tx`(${on(filter.both[0])} and ${on(filter.both[1])})`
    case 'or':
      return tx`(${on(filter.both[0])} or ${on(filter.both[1])})`
    case 'not':
      return tx`coalesce(not ${on(filter.of)}, true)`
    case 'within':
      if (inside) throw new Problem('scim_filter')
      return conditionFor(tx, filter.of, columns, `${filter.name}.`)
    case 'pr':
      return tx`(${tx.unsafe(columnOf(columns, inside + filter.name).sql)} is not null)`
    default:
      return compared(tx, columnOf(columns, inside + filter.name), filter.is, filter.value)
  }
}

export const columnNamed = (columns: ScimColumns, name: string): ScimColumn | undefined =>
  Object.hasOwn(columns, name) ? columns[name] : undefined

function columnOf(columns: ScimColumns, name: string): ScimColumn {
  const column = columnNamed(columns, name)
  if (!column) throw new Problem('scim_filter')
  return column
}

function compared(tx: Tx, { sql, kind }: ScimColumn, is: ScimOperator, value: ScimValue): SqlPart {
  const column = tx.unsafe(sql)
  if (value === null && is === 'eq') return tx`(${column} is null)`
  if (value === null && is === 'ne') return tx`(${column} is not null)`
  if (kind === 'boolean') {
    const expected = typeof value === 'string' ? booleans[value.toLowerCase()] : value
    if (typeof expected !== 'boolean' || (is !== 'eq' && is !== 'ne'))
      throw new Problem('scim_filter')
    return tx`(${column} = ${expected === (is === 'eq')})`
  }
  if (typeof value !== 'string') throw new Problem('scim_filter')
  if (kind === 'several') {
    if (is !== 'eq') throw new Problem('scim_filter')
    return tx`(${value} = any (coalesce(${column}, '{}'::text[])))`
  }
  if (kind === 'instant') return comparedInTime(tx, column, is, value)
  const [left, right] =
    kind === 'exact' ? [column, tx`${value}::text`] : [tx`lower(${column})`, tx`lower(${value})`]
  switch (is) {
    case 'eq':
      return tx`(${left} = ${right})`
    case 'ne':
      return tx`(${left} is distinct from ${right})`
    case 'co':
      return tx`(strpos(${left}, ${right}) > 0)`
    case 'sw':
      return tx`starts_with(${left}, ${right})`
    case 'ew':
      return tx`(right(${left}, length(${right})) = ${right})`
    default:
      return tx`(${left} ${tx.unsafe(order[is])} ${right})`
  }
}

const booleans: Record<string, boolean | undefined> = { true: true, false: false }
const instant = /^\d{4}-\d{2}-\d{2}T\d{2}:\d{2}(:\d{2}(\.\d+)?)?(Z|[+-]\d{2}:?\d{2})$/i

function comparedInTime(tx: Tx, column: SqlPart, is: ScimOperator, value: string): SqlPart {
  const operator = is === 'eq' ? '=' : is === 'ne' ? '<>' : isOrder(is) ? order[is] : undefined
  const at = instant.test(value) ? new Date(value) : undefined
  if (!operator || !at || Number.isNaN(at.getTime())) throw new Problem('scim_filter')
  return tx`(${column} ${tx.unsafe(operator)} ${at.toISOString()}::timestamptz)`
}

/** A value that a filter always requires to be equal: such a row is found by its index. */
export function requiredValue(filter: ScimFilter, name: string): string | undefined {
  if (filter.is === 'and')
    return requiredValue(filter.both[0], name) ?? requiredValue(filter.both[1], name)
  return filter.is === 'eq' && filter.name === name && typeof filter.value === 'string'
    ? filter.value
    : undefined
}
