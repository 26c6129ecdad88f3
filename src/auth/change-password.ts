import { Problem } from '#problems.ts'
import { Failure } from '#ui/failure.ts'
import { messageOf, throwIfWeak } from './failure.ts'
import { auth } from './session.ts'

/** The protocol's refusals as sentences, each beside the field it is about. */
const problem_by_code: Record<string, [field: string, sentence: string]> = {
  current_password_invalid: ['current_password', 'This is not your current password'],
  current_password_required: ['current_password', 'Your current password is required'],
  same_password: ['password', 'This is the password you have already. Choose another one'],
  reauthentication_needed: ['nonce', 'Enter the code that we emailed to you'],
  reauthentication_not_valid: ['nonce', 'This code is wrong or has expired'],
}
const sentences: Record<string, string> = {
  over_request_rate_limit: 'Too many tries. Please wait a few minutes',
  insufficient_aal: 'Please confirm your second step first: sign out and in again',
  conflict: 'Your password was changed just now, somewhere else',
}

type PasswordChange = { password: string } & ({ current_password: string } | { nonce?: string })

export async function changePassword({ password, ...proof }: PasswordChange) {
  const { error } = await auth.updateUser({ password, ...proof })
  if (!error) return
  throwIfWeak(error)
  const [field, sentence] = problem_by_code[error.code ?? ''] ?? []
  if (field && sentence) {
    throw new Problem('invalid_input', { fields: { [field]: [sentence] } })
  }
  const unexpected = 'The password could not be set. Please try again'
  throw new Failure(sentences[error.code ?? ''] ?? messageOf(error, unexpected))
}

/** Mails a code that proves who somebody is if they have no password that could be asked for. */
export async function mailCode() {
  const { error } = await auth.reauthenticate()
  if (!error || error.code === 'over_email_send_rate_limit') return // the one of just now is good
  throw new Failure(messageOf(error, 'The code could not be sent. Please try again'))
}
