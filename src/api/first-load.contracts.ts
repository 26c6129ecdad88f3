// The contracts that the first load carries: what everybody's first page may ask.
import { claims } from '#claims/claims.contract.ts'
import { policies } from '#claims/policies/policies.contract.ts'
import { review } from '#claims/review/review.contract.ts'
import { companies } from '#companies/companies.contract.ts'
import { dependents } from '#dependents/dependents.contract.ts'
import { employees } from '#employees/employees.contract.ts'
import { funds } from '#funds/funds.contract.ts'
import { site } from '#landing/site.contract.ts'
import { needs } from '#notifications/needs.contract.ts'
import { notifications } from '#notifications/notifications.contract.ts'
import { live } from '#system/live.contract.ts'
import { users } from '#users/users.contract.ts'

export const first_load = {
  users,
  companies,
  employees,
  funds,
  dependents,
  claims,
  review,
  policies,
  notifications,
  needs,
  site,
  live,
}
