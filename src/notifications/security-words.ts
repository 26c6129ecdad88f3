// Notices about the security of one’s own account, in words.
import type { NoticeWriter } from './by-the-clock.ts'

export const security: Record<string, NoticeWriter> = {
  password_changed: () => [
    'Your password was changed',
    'Every other session of your account has ended.',
  ],
  email_changed: ({ text }) => [
    'Your email address was changed',
    `From now on you sign in with ${text('email')}.`,
  ],
  two_step_on: ({ text }) => [
    'Two-step verification is on',
    `From now on signing in asks for a second step: ${text('factor')}.`,
  ],
  two_step_off: ({ text }) => [
    'Two-step verification is off',
    `The last second step, ${text('factor')}, was removed. Your password alone now signs in.`,
  ],
  two_step_reset: () => [
    'Your two-step verification was reset',
    'The provider’s staff removed your second steps, as they do when somebody asks them to. You were signed out everywhere.',
  ],
  factor_added: ({ text }) => ['A second step was added', `It is ${text('factor')}.`],
  factor_removed: ({ text }) => ['A second step was removed', `It was ${text('factor')}.`],
  codes_made: () => [
    'New recovery codes were made',
    'The codes that you kept from before no longer work.',
  ],
  code_used: ({ number }) => [
    'A recovery code was used to sign in',
    number('left') === 1 ? 'One code is left.' : `${number('left')} codes are left.`,
  ],
  taken_in: () => [
    'A company added your account',
    'Its HR added you by your email address; your dashboard says which company it is.',
  ],
  payout_account_changed: ({ text }) => {
    const [now, before] = [text('ends_in'), text('ended_in')]
    const title = 'The account for your payouts was changed'
    if (text('change') === 'added')
      return ['An account for your payouts was added', `Payouts go to the one ending in ${now}.`]
    if (text('change') === 'holder')
      return [title, `It is still the one ending in ${now}; its holder’s name was entered again.`]
    if (!now) return [title, 'Payouts go to the new bank account from now on.']
    return [
      title,
      `Payouts go to the one ending in ${now}, no longer to the one ending in ${before}.`,
    ]
  },
  new_device: () => [
    'A new device signed in to your account',
    'It is one that we have not seen with your account before.',
  ],
}
