// What is too much for each run goes round: the same commit always has the same, the next one has the next.
import { execFileSync } from 'node:child_process'
import { existsSync } from 'node:fs'
import path from 'node:path'

const root = path.resolve(import.meta.dirname, '..')

/** None where the code came without its history. */
export function turn(): number {
  if (!existsSync(path.join(root, '.git'))) return 0
  const words = ['rev-list', '--count', 'HEAD']
  return Number(execFileSync('git', words, { cwd: root, encoding: 'utf8' }))
}

/**
 * What an operator meets once a year, played on whole servers; how large companies fare; each page in its dress of the
 * turn: they take longest, and are seldom touched.
 */
export const seldom = [
  'test/backup-sealed.test.ts',
  'test/hooks-killed.test.ts',
  'test/backup.test.ts',
  'test/image.test.ts',
  'test/rescue.test.ts',
  'test/killed.test.ts',
  'test/embedded.test.ts',
  'test/to-a-moment.test.ts',
  'test/demo-start.test.ts',
  'test/two-weeks.test.ts',
  'test/servers.test.ts',
  'test/standby.test.ts',
  'test/three-years.test.ts',
  'test/other-postgres.test.ts',
  'test/backup-s3.test.ts',
  'test/demo-plan.test.ts',
  'test/e2e/claims-pages.test.ts',
  'test/e2e/figures-of-others.test.ts',
  'test/e2e/pages.test.ts',
  'src/books/size.test.ts',
  'src/notifications/size.test.ts',
  'test/e2e/money-pages.test.ts',
  'src/employees/size.test.ts',
  'src/funds/size.test.ts',
  'src/claims/size.test.ts',
]

/** A third of it is played in each run of everything; the next commit has the next third. */
export function leftOut(now = turn()): string[] {
  return seldom.filter((_, at) => (at + now) % 3 !== 0)
}
