// The handlers of each feature's acts. One that is missing is a fault of types.
import { absencesHandlers } from '#absences/absences.server.ts'
import { auditHandlers } from '#audit/audit.server.ts'
import { booksHandlers } from '#books/books.server.ts'
import { claimsHandlers } from '#claims/claims.server.ts'
import { limitsHandlers } from '#claims/policies/limits.server.ts'
import { policiesHandlers } from '#claims/policies/policies.server.ts'
import { reviewHandlers } from '#claims/review/review.server.ts'
import { companiesHandlers } from '#companies/companies.server.ts'
import { connectionsHandlers } from '#connections/connections.server.ts'
import { domainsHandlers } from '#connections/domains/domains.server.ts'
import { scimHandlers } from '#connections/scim/scim.server.ts'
import { sourcesHandlers } from '#connections/sources/sources.server.ts'
import { ssoHandlers } from '#connections/sso/sso.server.ts'
import { webhooksHandlers } from '#connections/webhooks/webhooks.server.ts'
import { dependentsHandlers } from '#dependents/dependents.server.ts'
import { employeesHandlers } from '#employees/employees.server.ts'
import { groupsHandlers } from '#employees/groups/groups.server.ts'
import { importsHandlers } from '#employees/imports/imports.server.ts'
import { manyHandlers } from '#employees/many/many.server.ts'
import { adjustmentsHandlers } from '#funds/adjustments/adjustments.server.ts'
import { groupPlansHandlers } from '#funds/plans/group-plans.server.ts'
import { fundsHandlers } from '#funds/funds.server.ts'
import { healthChecksHandlers } from '#health-checks/health-checks.server.ts'
import { siteHandlers } from '#landing/site.server.ts'
import { inquiriesHandlers } from '#inquiries/inquiries.server.ts'
import { needsHandlers } from '#notifications/needs.server.ts'
import { notificationsHandlers } from '#notifications/notifications.server.ts'
import { blocksHandlers } from '#payouts/blocks.server.ts'
import { payoutsHandlers } from '#payouts/payouts.server.ts'
import { privacyHandlers } from '#privacy/privacy.server.ts'
import { receiptsHandlers } from '#receipts/receipts.server.ts'
import { reportsHandlers } from '#reports/reports.server.ts'
import { settingsHandlers } from '#settings/settings.server.ts'
import { liveHandlers } from '#system/live.server.ts'
import { systemHandlers } from '#system/system.server.ts'
import { rightsHandlers } from '#users/giving.server.ts'
import { usersHandlers } from '#users/users.server.ts'
import { viewsHandlers } from '#views/views.server.ts'
import type { AppOptions } from '#app-options.server.ts'
import type { Contracts } from '#contracts.ts'
import type { Handlers } from '#lib/serve.server.ts'

export const handlersOf = (
  options: AppOptions,
): { [Feature in keyof Contracts]: Handlers<Contracts[Feature]> } => ({
  users: usersHandlers(options.auth.setup),
  rights: rightsHandlers,
  companies: companiesHandlers,
  employees: employeesHandlers(options.auth.makePassword),
  groups: groupsHandlers,
  many: manyHandlers,
  imports: importsHandlers(options.workbooks),
  funds: fundsHandlers(options.draw),
  adjustments: adjustmentsHandlers,
  group_plans: groupPlansHandlers,
  dependents: dependentsHandlers,
  claims: claimsHandlers(options.seal_verdict),
  review: reviewHandlers,
  absences: absencesHandlers,
  policies: policiesHandlers,
  limits: limitsHandlers,
  payouts: payoutsHandlers,
  payment_blocks: blocksHandlers,
  views: viewsHandlers,
  books: booksHandlers,
  health_checks: healthChecksHandlers,
  receipts: receiptsHandlers(options.files, options.workers),
  settings: settingsHandlers,
  needs: needsHandlers,
  notifications: notificationsHandlers,
  privacy: privacyHandlers(options.files),
  site: siteHandlers(options.config),
  inquiries: inquiriesHandlers(options.form_key),
  live: liveHandlers(options.live),
  system: systemHandlers(options),
  reports: reportsHandlers,
  audit: auditHandlers,
  connections: connectionsHandlers,
  scim: scimHandlers(options.config),
  sources: sourcesHandlers(options.config, options.source_key),
  webhooks: webhooksHandlers(options.config, options.webhook_key),
  domains: domainsHandlers,
  sso: ssoHandlers(options.config, options.provider_key),
})
