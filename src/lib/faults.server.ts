// Faults that an operator can fix, as one sentence that says how. Anything else is a fault of ours, with its stack.
import { inspect } from 'node:util'

type Fault = Error & { code?: string; address?: string; port?: number; syscall?: string }

/** A sentence for each code of PostgreSQL and of the operating system. */
const sentences: Record<string, (fault: Fault) => string> = {
  '28P01': () => 'PostgreSQL refuses the login of DATABASE_URL: its name or password is wrong.',
  '28000': ({ message }) => `PostgreSQL refuses the login of DATABASE_URL: ${message}.`,
  '3D000': ({ message }) => `PostgreSQL has no such database (${message}): create it first.`,
  '42501': ({ message }) =>
    `The login of DATABASE_URL may not do this (${message}): it must own its database and may need ` +
    'to create roles (alter role … createrole).',
  '53100': () => 'The disk of the database is full: make room, then try again.',
  '53300': () =>
    'PostgreSQL has no connection left: raise its max_connections, or run fewer servers.',
  ECONNREFUSED: ({ address, port }) =>
    `Nothing answers at ${address ?? 'the address'}${port ? `:${port}` : ''}: is the database running, and is ` +
    'DATABASE_URL right?',
  ENOTFOUND: ({ message }) => `A name in the settings is not known (${message}).`,
  CONNECT_TIMEOUT: () => 'The database does not answer in time: is DATABASE_URL right?',
  ENOSPC: () => 'The disk is full: make room, then try again.',
  EACCES: ({ message }) => `This may not be read or written by this user (${message}).`,
  EPERM: ({ message }) => `This may not be read or written by this user (${message}).`,
  EROFS: ({ message }) => `The disk is read-only (${message}).`,
  EADDRNOTAVAIL: ({ address }) => `HOST is no address of this machine: ${address}.`,
}

export function faultText(error: unknown): string {
  if (!(error instanceof Error)) return String(error)
  const sentence = sentences[(error as Fault).code ?? '']?.(error)
  if (sentence) return sentence
  if (error.cause instanceof Error) return `${error.message} (${causeOf(error)})`
  const ours = error instanceof TypeError || error instanceof ReferenceError
  return ours ? inspect(error) : error.message
}

/** The cause of a fault that was reported in other words: a fetch that failed, a storage that is away. */
export function causeOf(error: unknown): string {
  if (!(error instanceof Error)) return String(error)
  return error.cause instanceof Error
    ? causeOf(error.cause)
    : error.message || ((error as Fault).code ?? error.name)
}
