// The password asked once more, in the form of what an open screen alone must not do.
import { z } from 'zod'
import { PasswordField } from './PasswordField.tsx'

export const own_password = { password: z.string().min(1, 'Enter your password') }

export const OwnPassword = () => (
  <PasswordField name="password" label="Your password" autoComplete="current-password" required />
)
