// The contracts as an OpenAPI 3.1 document.
import { z } from 'zod'
import type { Contract, Endpoint } from './contract.ts'

export function openapi(contracts: Record<string, Contract>, prefix = '/api') {
  const paths: Record<string, Record<string, unknown>> = {}
  for (const [feature, contract] of Object.entries(contracts)) {
    for (const [name, endpoint] of Object.entries(contract)) {
      const path = `${prefix}${endpoint.path.replace(/:(\w+)/g, '{$1}')}`
      const operation = {
        operationId: `${feature}.${name}`,
        tags: [feature],
        ...describe(endpoint),
      }
      paths[path] = { ...paths[path], [endpoint.method.toLowerCase()]: operation }
    }
  }
  return {
    openapi: '3.1.0',
    info: { title: 'Healthfund', version: '1' },
    paths,
    components: { securitySchemes: { session: { type: 'http', scheme: 'bearer' } } },
    security: [{ session: [] }],
  }
}

function describe(endpoint: Endpoint) {
  const schema = z.toJSONSchema(endpoint.input, { io: 'input', unrepresentable: 'any' })
  const fields = Object.entries(schema.properties ?? {})
  const in_path = new Set([...endpoint.path.matchAll(/:(\w+)/g)].map(([, name]) => name))
  const in_query = endpoint.method === 'GET' || endpoint.kind === 'upload'
  const parameters = fields
    .filter(([name]) => in_query || in_path.has(name))
    .map(([name, field]) => ({
      name,
      in: in_path.has(name) ? 'path' : 'query',
      required: in_path.has(name) || (schema.required ?? []).includes(name),
      schema: field,
    }))
  return { parameters, ...bodyOf(endpoint, schema, in_path), responses: responsesOf(endpoint) }
}

type JsonSchema = z.core.JSONSchema.BaseSchema

function bodyOf(endpoint: Endpoint, schema: JsonSchema, in_path: Set<string | undefined>) {
  if (endpoint.kind === 'upload') {
    const content = { 'application/octet-stream': { schema: { type: 'string', format: 'binary' } } }
    return { requestBody: { content } }
  }
  const fields = Object.entries(schema.properties ?? {}).filter(([name]) => !in_path.has(name))
  if (endpoint.method === 'GET' || fields.length === 0) return {}
  const required = (schema.required ?? []).filter((name) => !in_path.has(name))
  const body = { type: 'object', properties: Object.fromEntries(fields), required }
  return { requestBody: { required: true, content: { 'application/json': { schema: body } } } }
}

function responsesOf(endpoint: Endpoint) {
  const problem = { description: 'A problem: { code, title, status, fields?, facts? }' }
  if (endpoint.kind === 'download') return { 200: { description: 'The file' }, default: problem }
  if (endpoint.kind === 'stream') {
    return {
      200: { description: 'Live events', content: { 'text/event-stream': {} } },
      default: problem,
    }
  }
  const schema = z.toJSONSchema(endpoint.output, { io: 'input', unrepresentable: 'any' })
  return {
    200: { description: 'The answer', content: { 'application/json': { schema } } },
    default: problem,
  }
}
