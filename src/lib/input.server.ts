// Reads a question by its shape; each field that does not fit is told why.
import { z } from 'zod'
import { Problem } from '#problems.ts'
import type { Endpoint } from './contract.ts'

export function parse<E extends Endpoint>(
  endpoint: E,
  input: Record<string, unknown>,
): z.output<E['input']> {
  const unkept = Object.entries(input).filter(([, value]) => hasNul(value))
  if (unkept.length > 0) {
    const fields = Object.fromEntries(unkept.map(([name]) => [name, [nul]]))
    throw new Problem('invalid_input', { fields })
  }
  const parsed = endpoint.input.safeParse(input)
  if (parsed.success) return parsed.data as z.output<E['input']>
  const { fieldErrors, formErrors } = z.flattenError(parsed.error)
  const fields: Record<string, string[]> = formErrors.length ? { '': formErrors } : {}
  for (const [name, messages] of Object.entries(fieldErrors)) {
    if (messages) fields[name] = messages
  }
  throw new Problem('invalid_input', { fields })
}

const nul = 'Please remove the invisible character (U+0000)'

/** The one character that PostgreSQL keeps nowhere. */
const hasNul = (value: unknown): boolean =>
  typeof value === 'string'
    ? value.includes('\0')
    : typeof value === 'object' && value !== null && Object.values(value).some(hasNul)
