import { Problem, problems } from '#problems.ts'
import { toast } from './toast.ts'

/** A failure whose own message is fit to be read by people. */
export class Failure extends Error {}

/** Every failure as one sentence a person can use. */
export function sentenceOf(error: unknown): string {
  if (error instanceof Problem || error instanceof Failure) return error.message
  // fetch itself fails with a TypeError: no connection, or nobody at the other end.
  if (error instanceof TypeError) return problems.unavailable[1]
  return problems.internal[1]
}

export function tellFailure(error: unknown) {
  if (!(error instanceof Problem || error instanceof Failure)) console.error(error)
  toast(sentenceOf(error), 'failure')
}
