// Tests that depend on time are played on hostile days, too: in each run of the whole suite two of the twelve, each with
// three of the files. Which ones follows from the commit: six pairs of days times twelve shares of the files are 72, each
// of them as likely as the others, and the same commit has the same days again.
import { turn } from '../rotation.ts'
import { hostile_days } from './days.ts'
import { onDays } from './on.ts'

export const timely = [
  'src/gotrue/refresh.test.ts',
  'src/gotrue/links.test.ts',
  'src/claims/claims.test.ts',
  'src/claims/review/queue.test.ts',
  'src/claims/review/rejecting.test.ts',
  'src/claims/review/appeals.test.ts',
  'src/claims/rules/refusals.test.ts',
  'src/claims/review/review.test.ts',
  'src/claims/screens.test.ts',
  'src/companies/holidays.test.ts',
  'src/dependents/ageing.test.ts',
  'src/dependents/approval.test.ts',
  'src/dependents/dependents.test.ts',
  'src/employees/employees.test.ts',
  'src/employees/joining/joining.test.ts',
  'src/employees/list.test.ts',
  'src/funds/funds.test.ts',
  'src/funds/plans/plans.test.ts',
  'src/funds/overview.test.ts',
  'src/funds/jobs.test.ts',
  'src/funds/ledger/ledger.test.ts',
  'src/funds/ledger/ledger-in-time.test.ts',
  'src/health-checks/cancelled.test.ts',
  'src/health-checks/health-checks.test.ts',
  'src/health-checks/reminders.test.ts',
  'src/inquiries/inquiries.test.ts',
  'src/payouts/payouts.test.ts',
  'src/payouts/undone.test.ts',
  'src/privacy/erased.test.ts',
  'src/privacy/erasure.test.ts',
  'src/reports/asking.test.ts',
  'src/reports/claims.test.ts',
  'src/reports/reports.test.ts',
  'src/system/figures.test.ts',
  'test/demo.test.ts',
  'test/size.test.ts',
]

export async function calendar(): Promise<boolean> {
  if (process.platform !== 'linux') {
    console.log('The calendar was not played: clocks can be set on Linux only.')
    return true
  }
  process.env.TEST_LANES = '1' // a day has three files at most: one process, which loads everything once
  delete process.env.DATABASE_URL // whose clock nobody can set: these have the embedded one
  const now = turn()
  const planned = hostile_days
    .map((day, at) => ({ day, at }))
    .filter(({ at }) => at % 6 === now % 6)
  return onDays(
    planned.map(({ day }) => day),
    (_, nth) =>
      timely.filter(
        (_file, file) =>
          (file + planned[nth]!.at + Math.floor(now / 6)) % hostile_days.length === 0,
      ),
    planned.length,
  )
}
