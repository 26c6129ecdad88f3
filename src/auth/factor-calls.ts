// Second steps as reads and writes like those of our own API: read again after any write, refused in sentences.
import { isAuthRetryableFetchError, type AuthError, type Factor } from '@supabase/auth-js'
import { Problem, problems } from '#problems.ts'
import { Failure } from '#ui/failure.ts'
import { messageOf } from './failure.ts'
import { auth } from './session.ts'

const sentences: Record<string, string> = {
  mfa_verification_failed: 'This code is wrong or has already been used. Wait for the next one',
  mfa_challenge_expired: 'That took too long. Please try once more',
  mfa_ip_address_mismatch: 'Your network has changed. Please try once more',
  mfa_recovery_codes_locked: 'Too many wrong codes. Please wait a few minutes',
  mfa_factor_name_conflict: 'You already have a second step with this name',
  too_many_enrolled_mfa_factors: 'You can have at most ten second steps. Remove one first',
  mfa_factor_not_found: 'This second step no longer exists',
  over_request_rate_limit: 'Too many tries. Please wait a few minutes',
  insufficient_aal: 'Please confirm your second step first: sign out and in again',
  reauthentication_needed: 'To be sure that it is you, please sign out and in again first',
}

export function sentenceFor(error: AuthError, unexpected: string): string {
  if (isAuthRetryableFetchError(error)) return problems.unavailable[1]
  return sentences[error.code ?? ''] ?? messageOf(error, unexpected)
}

/** A refusal that is shown beside its field. */
export const besideField = (field: string, sentence: string) =>
  new Problem('invalid_input', { fields: { [field]: [sentence] } })

const call = <I, O>(key: string, ask: (input: I) => Promise<O>) => Object.assign(ask, { key })
const UNEXPECTED = 'This did not work. Please try again'

/** A missing proof of who is there is one problem, whichever act asks for it. */
export const refusalOf = (error: AuthError, unexpected = UNEXPECTED) =>
  error.code === 'reauthentication_needed'
    ? new Problem('password_needed')
    : new Failure(sentenceFor(error, unexpected))

export const isPasswordNeeded = (error: unknown) =>
  error instanceof Problem && error.code === 'password_needed'

export const factorCalls = {
  list: call('auth factors', async (): Promise<Factor[]> => {
    const { data, error } = await auth.mfa.listFactors()
    if (error) throw new Failure(sentenceFor(error, UNEXPECTED))
    return data.all
  }),

  /** How many recovery codes are left; nothing where none were ever made. */
  codesLeft: call('auth recovery codes', async () => {
    const { data, error } = await auth.mfa.recoveryCodes.getStatus()
    if (data) return { total: data.total, remaining: data.remaining }
    if (error?.code === 'mfa_factor_not_found') return null
    throw new Failure(sentenceFor(error, UNEXPECTED))
  }),

  remove: call('auth remove factor', async ({ id, name }: { id: string; name: string }) => {
    const { error } = await auth.mfa.unenroll({ factorId: id })
    if (error) throw refusalOf(error)
    return { name }
  }),

  /** Makes the first set of codes, or a new set in place of the last. */
  makeCodes: call(
    'auth make codes',
    async ({ replacing }: { replacing: boolean }): Promise<string[]> => {
      const { recoveryCodes } = auth.mfa
      const { data, error } = await (replacing
        ? recoveryCodes.regenerate()
        : recoveryCodes.generate())
      if (error) throw refusalOf(error)
      return data.codes
    },
  ),
}

/** A name that no other second step of this account has. */
export async function freeName(name: string): Promise<string> {
  const { data } = await auth.mfa.listFactors()
  const taken = new Set(data?.all.map(({ friendly_name }) => friendly_name))
  if (!taken.has(name)) return name
  let number = 2
  while (taken.has(`${name} ${number}`)) number += 1
  return `${name} ${number}`
}
