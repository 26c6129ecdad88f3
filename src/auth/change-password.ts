import type { z } from 'zod'
import { Problem } from '#problems.ts'
import { Failure } from '#ui/failure.ts'
import { messageOf, throwIfWeak } from './failure.ts'
import type { ChangedPassword } from './new-password.ts'
import { auth } from './session.ts'

/** The protocol's refusals as sentences, each beside the field it is about. */
const beside: Record<string, [field: string, sentence: string]> = {
  current_password_invalid: ['current_password', 'This is not your current password'],
  current_password_required: ['current_password', 'Your current password is required'],
  same_password: ['password', 'This is the password you have already. Choose another one'],
}
const sentences: Record<string, string> = {
  over_request_rate_limit: 'Too many tries. Please wait a few minutes',
  insufficient_aal: 'Please confirm your second step first: sign out and in again',
  conflict: 'Your password was changed just now, somewhere else',
}

export async function changePassword(values: z.infer<typeof ChangedPassword>) {
  const { password, current_password } = values
  const { error } = await auth.updateUser({ password, current_password })
  if (!error) return
  throwIfWeak(error)
  const [field, sentence] = beside[error.code ?? ''] ?? []
  if (field && sentence) {
    throw new Problem('invalid_input', { fields: { [field]: [sentence] } })
  }
  const unexpected = 'The password could not be set. Please try again'
  throw new Failure(sentences[error.code ?? ''] ?? messageOf(error, unexpected))
}
