// Roles that people ask for, as the sign-up names them.
import type { Role } from '#users/users.contract.ts'

export const sign_up_roles: Record<Role, string> = {
  super_admin: 'Super Admin (provider)',
  company_admin: 'Company Admin / HR',
  employee: 'Employee',
}
