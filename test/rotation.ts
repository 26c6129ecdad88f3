// Tests that are too much for each run take turns: the same commit always has the same, the next one has the next.
import { execFileSync } from 'node:child_process'
import { existsSync } from 'node:fs'
import path from 'node:path'

const root = path.resolve(import.meta.dirname, '..')

/** So many commits, one after the other, play all of it. */
const turns = 6

/** None where the code came without git; where it came without its history, one by the commit's name. */
export function turn(): number {
  if (!existsSync(path.join(root, '.git'))) return 0
  const git = (...words: string[]) =>
    execFileSync('git', words, { cwd: root, encoding: 'utf8' }).trim()
  return git('rev-parse', '--is-shallow-repository') === 'true'
    ? Number.parseInt(git('rev-parse', 'HEAD').slice(0, 8), 16)
    : Number(git('rev-list', '--count', 'HEAD'))
}

/**
 * Events that an operator meets once a year, played on whole servers; large companies; the looks of pages; and whole
 * stories in the browser: they take longest. What proves money by random acts is played in each run. Each sixth of the
 * list takes about as long as the others.
 */
export const seldom = [
  'test/e2e/month.test.ts',
  'test/e2e/pages.test.ts',
  'test/e2e/rights.test.ts',
  'test/e2e/passage.test.ts',
  'src/receipts/for-claims.test.ts',
  'test/e2e/insight.test.ts',
  'src/receipts/blacking.test.ts',
  'test/rescue.test.ts',
  'src/notifications/size.test.ts',
  'test/e2e/family-claims.test.ts',
  'src/receipts/storage.test.ts',
  'test/demo-start.test.ts',
  'test/e2e/receipts.test.ts',
  'test/backup-s3.test.ts',
  'src/reports/reports.test.ts',
  'test/hooks-killed.test.ts',
  'test/e2e/demo.test.ts',
  'test/e2e/money-pages.test.ts',
  'test/e2e/reviewing.test.ts',
  'test/e2e/files.test.ts',
  'test/e2e/founder.test.ts',
  'test/e2e/settings.test.ts',
  'test/e2e/people.test.ts',
  'src/receipts/marks.test.ts',
  'test/to-a-moment.test.ts',
  'test/backup.test.ts',
  'test/e2e/needs-kinds.test.ts',
  'test/e2e/keyboard.test.ts',
  'test/backup-sealed.test.ts',
  'test/e2e/form-receipts.test.ts',
  'test/e2e/sso.test.ts',
  'test/e2e/books.test.ts',
  'test/e2e/second-thoughts.test.ts',
  'test/killed.test.ts',
  'src/books/size.test.ts',
  'test/other-postgres.test.ts',
  'test/e2e/family.test.ts',
  'test/e2e/needs.test.ts',
  'test/e2e/admins.test.ts',
  'test/servers.test.ts',
  'test/e2e/two-step.test.ts',
  'test/e2e/dialogs.test.ts',
  'test/e2e/access.test.ts',
  'src/receipts/receipts.test.ts',
  'test/e2e/drafts.test.ts',
  'test/standby.test.ts',
  'test/e2e/first-steps.test.ts',
  'test/image.test.ts',
  'src/funds/FundsPage.test.ts',
  'test/e2e/people-file.test.ts',
  'test/e2e/offline.test.ts',
  'test/e2e/claims-pages.test.ts',
  'test/e2e/privacy.test.ts',
  'test/e2e/find.test.ts',
  'test/e2e/toasts.test.ts',
  'test/e2e/accounts.test.ts',
  'test/e2e/queue.test.ts',
  'test/embedded.test.ts',
  'test/two-weeks.test.ts',
  'test/three-years.test.ts',
  'test/e2e/person.test.ts',
  'test/demo-plan.test.ts',
  'test/e2e/dates.test.ts',
  'test/e2e/figures-of-others.test.ts',
  'test/e2e/failures.test.ts',
  'test/e2e/tooltips.test.ts',
  'test/e2e/scim.test.ts',
  'test/e2e/webhooks.test.ts',
  'test/e2e/connections.test.ts',
  'src/employees/imports/reading.test.ts',
  'src/funds/size.test.ts',
  'test/commands.test.ts',
  'test/e2e/figures.test.ts',
  'test/e2e/notifications.test.ts',
  'src/reports/claims.test.ts',
  'src/employees/size.test.ts',
  'test/e2e/phone.test.ts',
  'test/e2e/leaving.test.ts',
  'test/embedded-in-use.test.ts',
  'src/claims/size.test.ts',
]

/** A sixth of it is played in each run of everything; the next commit has the next sixth. */
export function leftOut(now = turn()): string[] {
  return seldom.filter((_, at) => (at + now) % turns !== 0)
}
