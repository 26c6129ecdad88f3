// The hook of commits' messages: what git refuses, and what it lets pass.
import assert from 'node:assert/strict'
import { spawnSync } from 'node:child_process'
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { after, test } from 'node:test'

const hook = path.resolve(import.meta.dirname, '../.githooks/commit-msg')
const folder = mkdtempSync(path.join(tmpdir(), 'healthfund-message-'))
after(() => rmSync(folder, { recursive: true }))

/** Empty where the hook lets it pass. */
function complaint(...lines: string[]): string {
  const file = path.join(folder, 'COMMIT_EDITMSG')
  writeFileSync(file, `${lines.join('\n')}\n`)
  const { status, stderr } = spawnSync('sh', [hook, file], { encoding: 'utf8' })
  return status === 0 ? '' : stderr
}
/** A character that UTF-8 writes with several bytes. */
const character = '’'
const subject = 'claims: refuse a service date outside the plan year'

test('a subject names its area and has at most 72 characters', () => {
  assert.equal(complaint(subject), '')
  assert.equal(complaint(`Revert "${'x'.repeat(80)}"`), '')
  assert.match(complaint('Refuse a service date'), /^Commit subject: 'area: imperative subject'/)
  assert.equal(complaint(`claims: ${character.repeat(64)}`), '')
  assert.match(complaint(`claims: ${character.repeat(65)}`), /This one has 73/)
})

test('lines of a body have at most 100 characters, but for addresses', () => {
  assert.equal(complaint(subject, '', character.repeat(100)), '')
  assert.match(complaint(subject, '', 'short', character.repeat(101)), /line 4 has 101/)
  assert.equal(complaint(subject, '', `https://example.com/${'x'.repeat(100)}`), '')
})

test('what git writes below a message is none of it', () => {
  const scissors = `# ${'-'.repeat(24)} >8 ${'-'.repeat(24)}`
  assert.equal(complaint(subject, '', `# ${'x'.repeat(100)}`), '')
  assert.equal(complaint(subject, '', scissors, `+${'x'.repeat(120)}`), '')
})

/** Subjects of commits that are not on the target branch yet; none if the history is cut off, or no such branch is known. */
function subjectsToLand(at: string): string[] {
  const git = (...words: string[]) => spawnSync('git', words, { cwd: at, encoding: 'utf8' })
  if (git('rev-parse', '--is-shallow-repository').stdout.trim() !== 'false') return []
  const { status, stdout } = git('log', '--format=%s', '--no-merges', '@{upstream}..HEAD')
  return status === 0 ? stdout.split('\n').filter(Boolean) : []
}
/** Git lets them pass while somebody works: what lands has been squashed. */
const isMeantToGo = (one: string) => /^(?:fixup|squash|amend)!/.test(one)
const refused = (subjects: string[]) =>
  subjects.filter((one) => isMeantToGo(one) || complaint(one) !== '')

test('what is about to land has subjects that the hook takes, whether it is installed or not', () => {
  assert.deepEqual(refused(subjectsToLand(path.dirname(import.meta.dirname))), [])
})

test('of what is about to land a fixup is refused, and so is a long subject; a cut history has none', () => {
  const [there, clone, cut] = ['there', 'clone', 'cut'].map((name) => path.join(folder, name))
  const git = (...words: string[]) =>
    spawnSync('git', ['-c', 'user.name=a', '-c', 'user.email=a@b.example', ...words], {
      cwd: folder,
    })
  const commit = (at: string, message: string) =>
    git('-C', at, 'commit', '--quiet', '--allow-empty', '--no-verify', '-m', message)
  git('init', '--quiet', there!)
  commit(there!, 'no area, but landed')
  git('clone', '--quiet', there!, clone!)
  const long = `claims: ${'x'.repeat(65)}`
  for (const message of [subject, `fixup! ${subject}`, long]) commit(clone!, message)
  assert.deepEqual(refused(subjectsToLand(clone!)), [long, `fixup! ${subject}`])
  git('clone', '--quiet', '--depth=1', `file://${clone}`, cut!)
  assert.deepEqual(refused(subjectsToLand(cut!)), [])
})
