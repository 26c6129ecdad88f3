// Tests that depend on time are played on hostile days, too: in each run of the whole suite a third of the twelve, each
// with a few of the files. Which ones moves on with each commit, so after thirty-six all have been everywhere, and
// the same commit has the same days again.
import { availableParallelism } from 'node:os'
import { turn } from '../rotation.ts'
import { days } from './days.ts'
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
  const planned = days.flatMap((day, at) =>
    at % 3 === now % 3
      ? [
          {
            day,
            files: timely.filter(
              (_, file) => (file + at + Math.floor(now / 3)) % days.length === 0,
            ),
          },
        ]
      : [],
  )
  // The demo world takes longest, so its day comes first: nothing is to wait for it at the end.
  const has_demo = ({ files }: { files: string[] }) => Number(files.includes('test/demo.test.ts'))
  const order = planned.toSorted((one, other) => has_demo(other) - has_demo(one))
  return onDays(
    order.map(({ day }) => day),
    (_, at) => order[at]!.files,
    availableParallelism() * 2, // each waits half of its time, as everywhere
  )
}
