// Reads the input of a request by its shape, with a fault for each field that does not fit.
import { z } from 'zod'
import { Problem } from '#problems.ts'
import type { Endpoint } from './contract.ts'
import { withoutControls } from './one-line.ts'

export function parse<E extends Endpoint>(
  endpoint: E,
  input: Record<string, unknown>,
): z.output<E['input']> {
  const unkept = Object.entries(input).flatMap(([name, value]): [string, string[]][] => {
    const fault = faultOf(value)
    return fault ? [[name, [fault]]] : []
  })
  if (unkept.length > 0) {
    throw new Problem('invalid_input', { fields: Object.fromEntries(unkept) })
  }
  const parsed = endpoint.input.safeParse(plain(input))
  if (parsed.success) return parsed.data as z.output<E['input']>
  const { fieldErrors, formErrors } = z.flattenError(parsed.error)
  const fields: Record<string, string[]> = formErrors.length ? { '': formErrors } : {}
  for (const [name, messages] of Object.entries(fieldErrors)) {
    if (messages) fields[name] = messages
  }
  throw new Problem('invalid_input', { fields })
}

/** Characters that PostgreSQL keeps nowhere. */
function faultOf(value: unknown): string | undefined {
  if (typeof value === 'string') {
    if (value.includes('\0')) return 'Please remove the invisible character (U+0000)'
    return value.isWellFormed() ? undefined : 'Please remove the broken character'
  }
  if (typeof value !== 'object' || value === null) return undefined
  return Object.values(value).map(faultOf).find(Boolean)
}

function plain(value: unknown): unknown {
  if (typeof value === 'string') return withoutControls(value)
  if (Array.isArray(value)) return value.map(plain)
  if (typeof value !== 'object' || value === null) return value
  return Object.fromEntries(Object.entries(value).map(([name, one]) => [name, plain(one)]))
}
