// One line of JSON per event. What people write, own or suffer from never comes in here.
import { pino, type DestinationStream } from 'pino'

export type Log = ReturnType<typeof makeLog>

export const makeLog = (level: string, to?: DestinationStream) =>
  pino(
    {
      level,
      base: null,
      timestamp: () => `,"at":"${new Date().toISOString()}"`,
      redact: ['*.password', '*.token', '*.authorization', '*.email'],
      serializers: { err: (error: unknown) => serialized(error) },
    },
    to ?? standardOutput(),
  )

/** Lines that cannot be written (a terminal was closed, a disk is full) wait or are dropped, and the server goes on. */
function standardOutput() {
  const out = pino.destination({ dest: 1, maxLength: 1_000_000 })
  // At exit the library would try to write forever, so lines that wait then are dropped, unless there is room again.
  const flushSync = out.flushSync.bind(out)
  out.on('error', () => (out.flushSync = () => {}))
  out.on('write', () => (out.flushSync = flushSync))
  return out
}

type Serialized = {
  type: string
  message: string
  stack?: string
  cause?: Serialized
  [known: string]: unknown
}

/** The database's detail on a refused row is the row itself: of its errors only names are kept. */
const names = ['code', 'constraint', 'table', 'column', 'schema', 'routine']

function serialized(error: unknown, depth = 0): Serialized {
  if (!(error instanceof Error)) return { type: typeof error, message: 'not an error' }
  const known = error as Error & Record<string, unknown>
  const message = withoutValues(error)
  const stack = error.stack?.slice(Math.max(0, error.stack.indexOf('\n    at ')))
  return {
    type: error.name,
    message,
    ...Object.fromEntries(names.flatMap((name) => (known[name] ? [[name, known[name]]] : []))),
    ...(stack ? { stack: message + stack } : {}),
    ...(error.cause && depth < 3 ? { cause: serialized(error.cause, depth + 1) } : {}),
  }
}

/** `invalid input syntax for type date: "what somebody typed"`: the class of such errors begins with 22. */
const withoutValues = (error: Error & { code?: unknown }) =>
  typeof error.code === 'string' && error.code.startsWith('22')
    ? error.message.replaceAll(/".*"/gs, '"…"')
    : error.message
