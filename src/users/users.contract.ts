import { z } from 'zod'
import { del, get, post, put, Refusal, SearchText } from '#lib/contract.ts'
import { CompanyRight } from './rights.contract.ts'
import { Name, NamedCompany } from '#lib/one-line.ts'
import { password_length, password_too_short } from '#lib/password-length.ts'

export type Role = z.infer<typeof Role>
export const Role = z.enum(['super_admin', 'company_admin', 'employee'])

export type UserStatus = z.infer<typeof UserStatus>
export const UserStatus = z.enum(['pending', 'active', 'suspended'])

/** States as lists show them: `left` is active after the last day began, `requested` is pending by one's own request. */
export type AccountState = z.infer<typeof AccountState>
export const AccountState = z.enum(['pending', 'active', 'suspended', 'left', 'requested'])

/** Steps that a signed-in person has to take before the product is open, in the order in which they can be done. */
export type WaitsFor = z.infer<typeof WaitsFor>
export const WaitsFor = z.enum([
  'email_confirmation',
  'two_step',
  'new_password',
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
  /** An admin with a fund, claims or family of their own. */
  has_own: z.boolean(),
  /** The person's rights for their company. */
  rights: CompanyRight.array(),
  /** An owner has yet to confirm some of their rights. */
  rights_wait: z.boolean(),
  /** The company's identity provider can prove who the person is, with or without a password. */
  by_provider: z.boolean(),
  /** Every right of theirs waits and they are no employee: no page here is for them yet. */
  only_waits: z.boolean(),
  waiting_for: WaitsFor.nullable(),
  /** The company that a person who waits for approval named. */
  requested_company: z.string().nullable(),
  /** For a person who waits: the company that has their address's domain, and why it is not asked. */
  company_of_address: z
    .object({ name: z.string(), passed_over: z.enum(['elsewhere', 'declined']).nullable() })
    .nullable(),
  company: z
    .object({
      id: z.uuid(),
      name: z.string(),
      status: z.enum(['pending', 'active', 'suspended']),
      currency: z.string(),
      time_zone: z.string(),
      refusals: z.object({ connect: Refusal }),
    })
    .nullable(),
})

/** The first super admin of an installation, by the link that its first start prints. */
export const Setup = z.object({
  token: z.string().min(1),
  full_name: Name,
  email: z.email('Invalid email address').max(255),
  password: z.string().min(password_length.least, password_too_short).max(password_length.most),
})

export type User = z.infer<typeof User>
export const User = z.object({
  id: z.uuid(),
  full_name: z.string(),
  email: z.string(),
  role: Role,
  status: UserStatus,
  account_state: AccountState,
  company_id: z.uuid().nullable(),
  company_name: z.string().nullable(),
  confirmed_at: z.iso.datetime().nullable(),
  invited_at: z.iso.datetime().nullable(),
  two_step: z.boolean(),
  erased_at: z.iso.datetime().nullable(),
  joined_on: z.iso.date(),
  created_at: z.iso.datetime(),
})

/** Why the reader may not do each act to the person now. */
export const PersonRefusals = z.object({
  suspend: Refusal,
  reactivate: Refusal,
  approve: Refusal,
  decline: Refusal,
  resend: Refusal,
  change_role: Refusal,
  change_employment: Refusal,
  correct_address: Refusal,
  remove: Refusal,
  reset_two_step: Refusal,
  /** Reading and writing notes about the person. */
  note: Refusal,
})

export type UserFound = z.infer<typeof UserFound>
export const UserFound = User.extend({
  refusals: PersonRefusals,
  suspended_by: z.enum(['company', 'provider']).nullable(),
  /** The only permanent owner of their company: without them nobody can give rights there. */
  runs_alone: z.boolean(),
  /** The company that they named when they signed up. */
  requested_company: z.string().nullable(),
})

const Sort = z.enum(['name', '-name', 'joined', '-joined'])

export const UserSearch = z.object({
  search: SearchText.optional(),
  role: Role.optional(),
  status: UserStatus.optional(),
  company: z.uuid().optional(),
  sort: Sort.default('-joined'),
  after: z.string().max(2000).optional(),
  limit: z.coerce.number().int().min(1).max(200).default(50),
})

const UserId = z.object({ id: z.uuid() })

const RoleAndCompany = z.object({
  role: Role,
  company_id: z.uuid('Choose a company').optional(),
})

export const Email = z
  .string()
  .trim()
  .toLowerCase()
  .max(255, 'Email must be at most 255 characters')
  .pipe(z.email('Invalid email address'))

export const NewUser = RoleAndCompany.extend({
  full_name: Name,
  email: Email,
})

/** Another request by a person who waits. `elsewhere`: the company that was asked is not theirs. */
export const ChangedRequest = z.object({
  role: Role,
  company_name: NamedCompany.default(''),
  elsewhere: z.boolean().default(false),
})

export const users = {
  me: get('/me', z.object({}), Me),
  change_request: post('/me/request', ChangedRequest, z.object({})),
  setup_open: get('/setup', Setup.pick({ token: true }), z.object({ open: z.boolean() })),
  setup: post('/setup', Setup, z.object({ email: z.string() })),

  list: get(
    '/users',
    UserSearch,
    z.object({
      users: User.array(),
      next: z.string().nullable(),
      /** Null if a search or filters leave more than a thousand. */
      total: z.int().nullable(),
    }),
    { alone: true },
  ),
  summary: get(
    '/users/summary',
    z.object({}),
    z.object({
      total: z.int(),
      active: z.int(),
      /** How many active people can't sign in because their company is suspended. */
      shut_out: z.int(),
      pending: z.int(),
      suspended: z.int(),
      super_admins: z.int(),
      company_admins: z.int(),
      employees: z.int(),
    }),
  ),
  find: get('/users/:id', UserId, UserFound),
  add: post('/users', NewUser, UserFound),
  approve: post('/users/:id/approval', UserId, UserFound),
  decline: post('/users/:id/refusal', UserId, UserFound),
  suspend: post('/users/:id/suspension', UserId, UserFound),
  reactivate: post('/users/:id/reactivation', UserId, UserFound),
  change_role: put('/users/:id/role', UserId.extend(RoleAndCompany.shape), UserFound),
  resend: post('/users/:id/invitation', UserId, UserFound),
  remove: del('/users/:id', UserId, UserId),
  reset_two_step: post('/users/:id/two-step-reset', UserId, UserFound),
}
