import { z } from 'zod'
import { get, post } from '#lib/contract.ts'

export type Role = z.infer<typeof Role>
export const Role = z.enum(['super_admin', 'company_admin', 'employee'])

export type UserStatus = z.infer<typeof UserStatus>
export const UserStatus = z.enum(['pending', 'active', 'suspended'])

/** What keeps a signed-in person from the product, in the order in which it can be mended. */
export type Waiting = z.infer<typeof Waiting>
export const Waiting = z.enum([
  'email_confirmation',
  'two_step',
  'super_admin_approval',
  'company_approval',
  'unknown_company',
])

export type Me = z.infer<typeof Me>
export const Me = z.object({
  id: z.uuid(),
  email: z.string(),
  full_name: z.string(),
  role: Role,
  status: UserStatus,
  waiting_for: Waiting.nullable(),
  company: z
    .object({
      id: z.uuid(),
      name: z.string(),
      status: z.enum(['pending', 'active', 'suspended']),
      currency: z.string(),
      time_zone: z.string(),
    })
    .nullable(),
})

/** The first super admin of an installation, by the link that its first start prints. */
export const Setup = z.object({
  token: z.string().min(1),
  full_name: z.string().trim().min(2, 'Name must be at least 2 characters').max(100),
  email: z.email('Invalid email address').max(255),
  password: z.string().min(8, 'Password must be at least 8 characters').max(72),
})

export const users = {
  me: get('/me', z.object({}), Me),
  setup: post('/setup', Setup, z.object({ email: z.string() })),
}
