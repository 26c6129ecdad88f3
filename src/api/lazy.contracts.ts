// The contracts that come with the pages which use them: no part of the first load.
import { absences } from '#absences/absences.contract.ts'
import { audit } from '#audit/audit.contract.ts'
import { books } from '#books/books.contract.ts'
import { limits } from '#claims/policies/limits.contract.ts'
import { groups } from '#employees/groups/groups.contract.ts'
import { imports } from '#employees/imports/imports.contract.ts'
import { many } from '#employees/many/many.contract.ts'
import { adjustments } from '#funds/adjustments/adjustments.contract.ts'
import { group_plans } from '#funds/plans/group-plans.contract.ts'
import { inquiries } from '#inquiries/inquiries.contract.ts'
import { payment_blocks } from '#payouts/blocks.contract.ts'
import { payouts } from '#payouts/payouts.contract.ts'
import { privacy } from '#privacy/privacy.contract.ts'
import { reports } from '#reports/reports.contract.ts'
import { settings } from '#settings/settings.contract.ts'

export const lazy = {
  groups,
  imports,
  many,
  absences,
  books,
  inquiries,
  privacy,
  audit,
  reports,
  limits,
  adjustments,
  group_plans,
  payment_blocks,
  payouts,
  settings,
}
