// What pages ask that few open, or few at first: no part of everybody's first load.
import { absences } from '#absences/absences.contract.ts'
import { audit } from '#audit/audit.contract.ts'
import { books } from '#books/books.contract.ts'
import { limits } from '#claims/policies/limits.contract.ts'
import { imports } from '#employees/imports.contract.ts'
import { many } from '#employees/many/many.contract.ts'
import { adjustments } from '#funds/adjustments.contract.ts'
import { group_plans } from '#funds/group-plans.contract.ts'
import { inquiries } from '#inquiries/inquiries.contract.ts'
import { payment_blocks } from '#payouts/blocks.contract.ts'
import { payouts } from '#payouts/payouts.contract.ts'
import { privacy } from '#privacy/privacy.contract.ts'
import { reports } from '#reports/reports.contract.ts'
import { settings } from '#settings/settings.contract.ts'

export const seldom = {
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
