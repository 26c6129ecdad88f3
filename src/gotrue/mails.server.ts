// The mails of the auth service: what each says. The sheet they are printed on is everybody's.
import type { MailText } from '#lib/mail-text.server.ts'
import { lasts } from '#shared/link-life.ts'

type LinkAndCode = { address: string; code: string; seconds: number }
/** The page on which the code is typed by somebody who read the mail on another device. */
type CodeAddress = { code_address: string }
/** The inviter and the company, where they are known. */
export type Inviter = { company: string | null; by: string | null; gives?: string | null }
const invited_to = 'Healthfund, where companies give their people money for their health'
const invitationSentence = ({ company, by }: Inviter) =>
  `${by ?? company ?? 'An administrator'} invited you to ${by && company ? `${company} on ` : ''}${invited_to}.`
const invitationLines = ({ from, does }: { from: Inviter; does: string }) =>
  [invitationSentence(from), from.gives ?? '', does].filter(Boolean)
/** The address comes last, as mail programs take what stands right behind it for a part of it. */
const codeSentence = (seconds: number, { code_address }: CodeAddress) =>
  `${onceSentence(seconds)} ${unexpected} On another device, type the code at ${code_address}`
const unexpected = 'If you did not expect this, ask your company, or ignore this email.'
const ignore = 'If that was not you, you can ignore this email: nothing changes.'
const onceSentence = (seconds: number) => `Link and code work once, for ${lasts(seconds)}.`

type Invited = LinkAndCode & CodeAddress & { from: Inviter }

export const mail_texts = {
  confirmation: ({ address, code, seconds }: LinkAndCode): MailText => ({
    subject: 'Confirm your email address',
    paragraphs: ['Someone, hopefully you, signed up for Healthfund with this address.'],
    link: { label: 'Confirm my address', address },
    code,
    end: `${onceSentence(seconds)} ${ignore}`,
  }),
  invite: ({ address, code, seconds, from, ...typed }: Invited): MailText => ({
    subject: from.company
      ? `${from.company} invites you to Healthfund`
      : 'You are invited to Healthfund',
    paragraphs: invitationLines({ from, does: 'Accept the invitation and choose your password.' }),
    link: { label: 'Accept the invitation', address },
    code,
    end: codeSentence(seconds, typed),
  }),
  set_password: ({ address, code, seconds, from, ...typed }: Invited): MailText => ({
    subject: 'Your Healthfund account is ready',
    paragraphs: invitationLines({ from, does: 'Choose your own password to start.' }),
    link: { label: 'Choose my password', address },
    code,
    end: codeSentence(seconds, typed),
  }),
  recovery: ({ address, code, seconds }: LinkAndCode): MailText => ({
    subject: 'Reset your password',
    paragraphs: ['Someone, hopefully you, asked for a new password for your Healthfund account.'],
    link: { label: 'Choose a new password', address },
    code,
    end: `${onceSentence(seconds)} If that was not you, ignore this email: your password stays as it is.`,
  }),
  email_change_current: ({ address, code, seconds }: LinkAndCode, new_email: string): MailText => ({
    subject: 'Confirm the change of your email address',
    paragraphs: [
      `Somebody asked to move your Healthfund account from this address to ${new_email}.`,
      'Both addresses have to agree; the other one got an email, too.',
    ],
    link: { label: 'Agree to the change', address },
    code,
    end: `${onceSentence(seconds)} If that was not you, do not agree, and change your password.`,
  }),
  email_change_new: ({ address, code, seconds }: LinkAndCode): MailText => ({
    subject: 'Confirm your new email address',
    paragraphs: [
      'A Healthfund account is to move to this address.',
      'Both addresses have to agree; the old one got an email, too.',
    ],
    link: { label: 'Confirm my new address', address },
    code,
    end: `${onceSentence(seconds)} ${ignore}`,
  }),
  reauthentication: ({ code, seconds }: { code: string; seconds: number }): MailText => ({
    subject: 'Your confirmation code',
    paragraphs: ['Enter this code to confirm that you are changing your password.'],
    code,
    end: `The code works once, for ${lasts(seconds)}. If you changed nothing, change your password now.`,
  }),
  sign_up_attempt: ({ sign_in, recover }: { sign_in: string; recover: string }): MailText => ({
    subject: 'Somebody tried to sign up with your address',
    paragraphs: [
      'Somebody tried to open a Healthfund account with this address, but you already have one.',
      `If that was you, sign in instead. If you have forgotten your password, reset it: ${recover}`,
    ],
    link: { label: 'Sign in', address: sign_in },
    end: 'If that was not you, you don’t need to do anything: your account was not touched.',
  }),
  address_attempt: ({ sign_in }: { sign_in: string }): MailText => ({
    subject: 'Somebody tried to use your address',
    paragraphs: [
      'Somebody asked to move another Healthfund account to this address, but you already have an account with it.',
      'If that was you, use another address for the other account, or sign in to the one you have here.',
    ],
    link: { label: 'Sign in', address: sign_in },
    end: 'If that was not you, you don’t need to do anything: your account was not touched.',
  }),
}
