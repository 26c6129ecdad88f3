import { z } from 'zod'
import { password_length, password_too_short } from '#lib/password-length.ts'

type TypedPasswords = { password: string; password_again: string }

const isSame = ({ password, password_again }: TypedPasswords) => password === password_again
const notSame = {
  path: ['password_again'],
  message: 'The two passwords are not the same',
}

export const TypedPassword = z
  .string()
  .min(1, 'Password is required')
  .min(password_length.least, password_too_short)

const typed = {
  password: TypedPassword,
  password_again: z.string().min(1, 'Please type the password again'),
}

/** The server judges how easily a password is guessed, once it is long enough and typed twice. */
export const NewPassword = z.object(typed).refine(isSame, notSame)

export const ChangedPassword = z
  .object({ current_password: z.string().min(1, 'Your current password is required'), ...typed })
  .refine(isSame, notSame)

/** People whom their company's provider signs in have no password that they could type. */
export const FirstPassword = z
  .object({ nonce: z.string().trim().optional(), ...typed })
  .refine(isSame, notSame)
