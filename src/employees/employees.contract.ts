import { z } from 'zod'
import { Day } from '#lib/days.ts'
import { AccountState, Email, PersonRefusals, Role } from '#users/users.contract.ts'
import { manager } from '#employees/person/manager.contract.ts'
import { notes } from '#employees/person/notes.contract.ts'
import { del, download, get, patch, post, put, Refusal, SearchText } from '#lib/contract.ts'
import { Name, OneLine } from '#lib/one-line.ts'

/** `pending`: invited and not here yet. A person who asks to join is no employee yet. */
export const EmployeeState = AccountState.exclude(['requested'])

export const Phone = z
  .string()
  .trim()
  .min(10, 'Phone must be at least 10 characters')
  .max(20, 'Phone must be at most 20 characters')
  // A phone number in any spelling, with an extension if need be, but no other text.
  .regex(/^(\D*\d){3}/, 'Enter a phone number')
export const Department = OneLine.min(2, 'Department required').max(
  100,
  'Department must be at most 100 characters',
)
/** The person's number in the company's own HR system. */
export const PersonnelNumber = OneLine.min(1).max(
  40,
  'Personnel number must be at most 40 characters',
)

export const NewEmployee = z.object({
  full_name: Name,
  email: Email,
  phone: Phone.optional(),
  department: Department,
})

export type Employee = z.infer<typeof Employee>
export const Employee = z.object({
  id: z.uuid(),
  full_name: z.string(),
  email: z.string(),
  phone: z.string().nullable(),
  department: z.string().nullable(),
  personnel_number: z.string().nullable(),
  role: Role,
  account_state: AccountState,
  company_id: z.uuid().nullable(),
  joined_on: z.iso.date(),
  left_on: z.iso.date().nullable(),
  confirmed_at: z.iso.datetime().nullable(),
  invited_at: z.iso.datetime().nullable(),
  requested_at: z.iso.datetime().nullable(),
  erased_at: z.iso.datetime().nullable(),
  version: z.int(),
})

const Sort = z.enum([
  'name',
  '-name',
  'email',
  '-email',
  'department',
  '-department',
  'joined',
  '-joined',
])

export const EmployeeFilter = z.object({
  search: SearchText.optional(),
  status: EmployeeState.optional(),
  department: z.string().max(100).optional(),
  group_id: z.uuid().optional(),
  /** Without an order, by name; a search puts first those whose name begins with it. */
  sort: Sort.optional(),
})
export const EmployeeSearch = EmployeeFilter.extend({
  after: z.string().max(2000).optional(),
  limit: z.coerce.number().int().min(1).max(200).default(50),
})

export type EmployeeFound = z.infer<typeof EmployeeFound>
export const EmployeeFound = Employee.extend({
  /** The refusals also say which details the asker may not change. */
  refusals: PersonRefusals.extend({ joined_on: Refusal, department: Refusal }),
})

/** An employee with two facts for HR: whether they ever signed in, and whether they have a bank account. */
export type EmployeeDetail = z.infer<typeof EmployeeDetail>
export const EmployeeDetail = EmployeeFound.extend({
  last_sign_in_at: z.iso.datetime().nullable(),
  has_bank_account: z.boolean(),
  /** Nobody has signed in: the address may be wrong, and the invitation lost. */
  never_came: z.boolean(),
})

const EmployeePage = z.object({
  employees: Employee.array(),
  next: z.string().nullable(),
  /** Null if a search or several filters leave more than a thousand. */
  total: z.int().nullable(),
})

const EmployeeId = z.object({ id: z.uuid() })

/** `version` is the one that was read: a newer one means that somebody else changed the person first. */
export const EmployeeChange = EmployeeId.extend({
  version: z.int(),
  full_name: Name,
  phone: Phone.nullish(),
  department: Department,
  joined_on: Day().optional(),
  /** Unchanged if it is left out. */
  personnel_number: PersonnelNumber.nullish(),
})

export const employees = {
  list: get('/employees', EmployeeSearch, EmployeePage, { alone: true }),
  ...manager,
  summary: get(
    '/employees/summary',
    z.object({}),
    z.object({
      total: z.int(),
      active: z.int(),
      pending: z.int(),
      suspended: z.int(),
      leavers: z.int(),
      requested: z.int(),
      /** The number thirty days ago; null if that is not known. */
      total_before: z.int().nullable(),
    }),
  ),
  departments: get(
    '/employees/departments',
    z.object({}),
    z.array(z.object({ department: z.string(), people: z.int() })),
  ),
  /** The requests to join, oldest first. */
  requests: get(
    '/employees/requests',
    z.object({ after: z.string().max(2000).optional() }),
    z.object({ people: EmployeeFound.array(), next: z.string().nullable() }),
  ),
  export: download('/employees/export', EmployeeFilter, { long: true }),
  find: get('/employees/:id', EmployeeId, EmployeeDetail),
  add: post(
    '/employees',
    NewEmployee,
    z.object({
      employee: EmployeeFound,
      /** Null if the person has an account with a password already, and if a key adds them. */
      initial_password: z.string().nullable(),
    }),
  ),
  edit: patch('/employees/:id', EmployeeChange, EmployeeFound),
  /** Corrects an address while nobody has signed in with it; afterwards only the person changes it. */
  correct_address: put(
    '/employees/:id/email',
    EmployeeId.extend({ version: z.int(), email: Email }),
    EmployeeFound,
  ),
  leave: put(
    '/employees/:id/leaving',
    EmployeeId.extend({ version: z.int(), left_on: Day() }),
    EmployeeFound,
  ),
  stay: del('/employees/:id/leaving', EmployeeId.extend({ version: z.int() }), EmployeeFound),
  suspend: post('/employees/:id/suspension', EmployeeId, EmployeeFound),
  reactivate: post('/employees/:id/reactivation', EmployeeId, EmployeeFound),
  resend: post('/employees/:id/invitation', EmployeeId, EmployeeFound),
  remove: del('/employees/:id', EmployeeId, z.object({ id: z.uuid() })),
  approve: post('/employees/:id/approval', EmployeeId, EmployeeFound),
  ...notes,
  decline: post('/employees/:id/refusal', EmployeeId, z.object({ id: z.uuid() })),
}
