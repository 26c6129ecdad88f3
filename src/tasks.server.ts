// Jobs done by the database alone: each feature's under their names.
import { sealAudit } from '#audit/jobs.server.ts'
import { notifyOfEndingKeys } from '#connections/jobs.server.ts'
import { compareAgain, countClaims, keepClaims, reconsider } from '#claims/jobs.server.ts'
import { keepHolidays } from '#companies/holidays.server.ts'
import { keepFamilies } from '#dependents/jobs.server.ts'
import { notifyOfLastDay, keepPeople, workOnImport } from '#employees/jobs.server.ts'
import {
  grantWaiting,
  keepYears,
  lowerGrant,
  regrant,
  sealTransfers,
  notifyOfExpiry,
} from '#funds/jobs.server.ts'
import { remindOfChecks, remindOfDue } from '#health-checks/jobs.server.ts'
import { notifyDecisions } from '#notifications/jobs.server.ts'
import { keepPrivacy } from '#privacy/jobs.server.ts'
import { keepReceipts } from '#receipts/jobs.server.ts'
import { scheduleReports } from '#reports/jobs.server.ts'
import { notifyOfBegunRights } from '#users/jobs.server.ts'
import type { Tasks } from '#lib/jobs.server.ts'

import { fetchDue } from '#connections/sources/jobs.server.ts'

export const plain_tasks: Tasks = {
  'imports:work': workOnImport,
  'employees:last_day': notifyOfLastDay,
  keep_people: keepPeople,
  'users:rights_begin': notifyOfBegunRights,
  'people:due': fetchDue,
  'funds:seal': sealTransfers,
  'funds:grant': grantWaiting,
  'funds:lower': lowerGrant,
  'funds:regrant': regrant,
  'funds:years': keepYears,
  'funds:expiry': notifyOfExpiry,
  'claims:keep': keepClaims,
  'claims:count': countClaims,
  'claims:reconsider': reconsider,
  'claims:compare': compareAgain,
  'decisions:notify': notifyDecisions,
  'holidays:keep': keepHolidays,
  'dependents:keep': keepFamilies,
  'health_checks:remind': remindOfChecks,
  'health_checks:due': remindOfDue,
  'receipts:keep': keepReceipts,
  'privacy:keep': keepPrivacy,
  'audit:seal': sealAudit,
  'reports:monthly': scheduleReports,
  'connections:keep': notifyOfEndingKeys,
}
