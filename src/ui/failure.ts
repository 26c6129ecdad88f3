import { Problem, problems } from '#problems.ts'
import { isOffline } from './online.ts'
import { dismiss, toast } from './toast.ts'

/** A failure whose own message is fit to be read by people. */
export class Failure extends Error {
  readonly tone: 'failure' | 'notice'

  constructor(message: string, tone: 'failure' | 'notice' = 'failure') {
    super(message)
    this.tone = tone
  }
}

export const not_sent = 'You’re offline. Nothing was sent. Try again once you’re back online'

/** A missing page is gone, or its address was mistyped: trying again would not help. */
export const isMissing = (error: unknown): boolean =>
  error instanceof Problem && ['not_found', 'invalid_input'].includes(error.code)

/** Every failure as one sentence a person can use. */
export function sentenceOf(error: unknown): string {
  if (error instanceof Problem || error instanceof Failure) return error.message
  if (isOffline()) return 'You’re offline. Try again once you’re back online'
  // fetch itself fails with a TypeError: no connection, or nobody at the other end.
  if (error instanceof TypeError) return problems.unavailable[1]
  return problems.internal[1]
}

export function showFailure(error: unknown) {
  if (!(error instanceof Problem || error instanceof Failure || isOffline())) console.error(error)
  const id = toast(sentenceOf(error), error instanceof Failure ? error.tone : 'failure')
  onceOnline(() => dismiss(id))
  return id
}

/** Messages about the lost connection go once it is back. */
export function onceOnline(act: () => void) {
  if (isOffline()) addEventListener('online', act, { once: true })
}
