// A well-formed input for any shape, so that tests made from the contracts get past validation.
import { z } from 'zod'

type Schema = z.core.JSONSchema.BaseSchema
const nil = '00000000-0000-4000-8000-000000000000'

export function sampleOf(shape: z.ZodType): Record<string, unknown> {
  return (sample(sampleOf.schema(shape)) ?? {}) as Record<string, unknown>
}
sampleOf.schema = (shape: z.ZodType): Schema =>
  z.toJSONSchema(shape, { io: 'input', unrepresentable: 'any' })

function sample(schema: Schema): unknown {
  if (schema.const !== undefined) return schema.const
  if (schema.enum) return schema.enum[0]
  const choice = schema.anyOf ?? schema.oneOf
  if (choice) return sample(choice[0] as Schema)
  if (schema.allOf) return sample(schema.allOf[0] as Schema)
  switch (schema.type) {
    case 'object':
      return Object.fromEntries(
        (schema.required ?? []).map((name) => [name, sample(schema.properties?.[name] as Schema)]),
      )
    case 'array':
      return Array.from({ length: schema.minItems ?? 0 }, () => sample(schema.items as Schema))
    case 'integer':
    case 'number':
      return Math.max(1, schema.minimum ?? 1, Number(schema.exclusiveMinimum ?? 0) + 1)
    case 'boolean':
      return true
    case 'string':
      return text(schema)
    default:
      return 'sample'
  }
}

const formats: Record<string, string> = {
  email: 'sample@sample.test',
  date: '2026-01-15',
  'date-time': '2026-01-15T10:00:00Z',
  uri: 'https://sample.test',
}

function text(schema: Schema): string {
  if (schema.format === 'uuid') return nil
  const known = schema.format ? formats[schema.format] : undefined
  if (known) return known
  const shortest = Math.max(schema.minLength ?? 0, 6)
  return 'sample'.padEnd(shortest, 'x').slice(0, schema.maxLength ?? shortest)
}
