import type { EmailOtpType } from '@supabase/auth-js'
import { paths } from '#paths.ts'

/** Where the code of a mail is typed. */
export const codePage = (type: EmailOtpType, email: string) =>
  `${paths.verify}?${new URLSearchParams({ type, email })}`
