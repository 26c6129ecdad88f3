import type { EmailOtpType } from '@supabase/auth-js'
import { paths } from '#paths.ts'

/** The address of the page that takes a mailed code. */
export const codePage = (type: EmailOtpType, email: string) =>
  `${paths.verify}?${new URLSearchParams({ type, email })}`
