// Tests that are too much for each run take turns: the same commit always has the same.
import { execFileSync } from 'node:child_process'
import { existsSync, readFileSync } from 'node:fs'
import path from 'node:path'

const root = path.resolve(import.meta.dirname, '..')

const turns = 8
/** So many more are played because what they test was changed: a commit that changes everything adds no more. */
const more = 4

const git = (...words: string[]) =>
  existsSync(path.join(root, '.git'))
    ? execFileSync('git', words, { cwd: root, encoding: 'utf8', maxBuffer: 2 ** 28 }).trim()
    : ''

/**
 * The turn of a commit, by its hash. Counting commits would give each its turn after eight, but CI sees only the last of each
 * push, and pushes of eight would always have the same turn. By hash each has one in eight.
 */
export const turn = (): number => Number.parseInt(git('rev-parse', 'HEAD').slice(0, 8), 16) || 0

/**
 * Events that an operator meets once a year, played on whole servers; large companies; the looks of pages; and whole
 * stories in the browser: they take longest. What proves money by random acts is played in each run. Each eighth of the
 * list takes about as long as the others.
 */
export const seldom = [
  'test/e2e/pages.test.ts',
  'test/e2e/passage.test.ts',
  'test/e2e/rights.test.ts',
  'src/receipts/for-claims.test.ts',
  'test/e2e/month.test.ts',
  'test/rescue.test.ts',
  'test/e2e/insight.test.ts',
  'test/demo-start.test.ts',
  'test/e2e/money-pages.test.ts',
  'test/e2e/demo.test.ts',
  'src/receipts/blacking.test.ts',
  'src/notifications/size.test.ts',
  'test/servers.test.ts',
  'test/e2e/family-claims.test.ts',
  'test/e2e/keyboard.test.ts',
  'src/receipts/storage.test.ts',
  'test/e2e/needs-kinds.test.ts',
  'test/e2e/files.test.ts',
  'test/e2e/founder.test.ts',
  'src/receipts/marks.test.ts',
  'test/e2e/people.test.ts',
  'test/e2e/settings.test.ts',
  'test/backup-s3.test.ts',
  'test/hooks-killed.test.ts',
  'test/backup.test.ts',
  'test/e2e/form-receipts.test.ts',
  'test/backup-sealed.test.ts',
  'test/e2e/admins.test.ts',
  'test/e2e/dialogs.test.ts',
  'test/killed.test.ts',
  'test/to-a-moment.test.ts',
  'test/e2e/second-thoughts.test.ts',
  'test/e2e/needs.test.ts',
  'src/receipts/receipts.test.ts',
  'test/e2e/family.test.ts',
  'test/other-postgres.test.ts',
  'test/e2e/claims-pages.test.ts',
  'test/e2e/two-step.test.ts',
  'test/e2e/books.test.ts',
  'src/books/size.test.ts',
  'test/e2e/find.test.ts',
  'test/e2e/people-file.test.ts',
  'test/e2e/receipts.test.ts',
  'test/image.test.ts',
  'test/e2e/sso.test.ts',
  'test/standby.test.ts',
  'test/e2e/first-steps.test.ts',
  'test/e2e/drafts.test.ts',
  'test/e2e/privacy.test.ts',
  'test/e2e/queue.test.ts',
  'test/e2e/offline.test.ts',
  'src/funds/FundsPage.test.ts',
  'test/e2e/access.test.ts',
  'src/reports/reports.test.ts',
  'test/month.test.ts',
  'test/e2e/reviewing.test.ts',
  'test/three-years.test.ts',
  'test/e2e/failures.test.ts',
  'test/embedded.test.ts',
  'test/e2e/accounts.test.ts',
  'test/demo-plan.test.ts',
  'test/two-weeks.test.ts',
  'test/e2e/figures-of-others.test.ts',
  'test/e2e/tooltips.test.ts',
  'src/funds/size.test.ts',
  'test/e2e/dates.test.ts',
  'src/employees/size.test.ts',
  'test/e2e/toasts.test.ts',
  'src/employees/lists/lists.test.ts',
  'test/e2e/connections.test.ts',
  'test/commands.test.ts',
  'test/e2e/person.test.ts',
  'test/e2e/scim.test.ts',
  'test/e2e/notifications.test.ts',
  'src/receipts/heavy.test.ts',
  'test/e2e/leaving.test.ts',
  'test/e2e/webhooks.test.ts',
  'src/claims/review/ReviewPanel.test.ts',
  'test/e2e/phone.test.ts',
  'src/employees/imports/reading.test.ts',
  'test/embedded-in-use.test.ts',
  'test/e2e/figures.test.ts',
  'src/connections/sources/sources.test.ts',
  'src/receipts/bad-files.test.ts',
  'src/claims/size.test.ts',
  'src/payouts/size.test.ts',
  'src/reports/claims.test.ts',
]

/** An eighth of it is played in each run of everything, and of the rest what the last commits may have broken. */
export function leftOut(now = turn(), names = changed(), texts = textsGone()): string[] {
  const rest = seldom.filter((_, at) => (at + now) % turns !== 0)
  const concerned = [
    ...rest.filter((file) => looksFor(file, texts)),
    ...names.flatMap((name) => rest.filter((file) => concerns(file, name)).toReversed()),
  ]
  const played = [...new Set(concerned)].slice(0, more)
  return rest.filter((file) => !played.includes(file))
}

/** Files of src test the folder in which they stand; of those of test/ nobody knows. */
const concerns = (file: string, name: string) =>
  file === name || (file.startsWith('src/') && name.startsWith(`${path.dirname(file)}/`))

/** A text of several words that the test has and that went from a screen: it may wait for it in vain. */
function looksFor(file: string, { gone, come }: TextsGone): boolean {
  const texts = readFileSync(path.join(root, file), 'utf8').matchAll(/'([A-Z][^'\n]* [^'\n]*)'/g)
  return [...texts].some(([, text = '']) => gone.includes(text) && !come.includes(text))
}

/**
 * As many commits as may be pushed together, the last one first. The first commit of a shallow clone counts as changing
 * everything.
 */
const pushed = ['log', '-20', '--format=']
const changed = () => git(...pushed, '--name-only').split('\n')

type TextsGone = { gone: string; come: string }

function textsGone(): TextsGone {
  const lines = git(...pushed, '--patch', '--unified=0', '--', 'src/*.ts', 'src/*.tsx').split('\n')
  const begun = (sign: string) => lines.filter((line) => line.startsWith(sign)).join('\n')
  return { gone: begun('-'), come: begun('+') }
}
