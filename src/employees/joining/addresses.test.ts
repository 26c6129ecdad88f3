// A mistyped address: HR corrects it while nobody has signed in with it.
import assert from 'node:assert/strict'
import { before, test } from 'node:test'
import { refuses, type Company, type Person } from '../../../test/world/people.ts'
import { openedScene } from '../../../test/world/scene.ts'
import { until } from '../../../test/until.ts'

const scene = openedScene({ worker: true, env: { AUTH_AUTOCONFIRM: 'on' } })
let acme: Company
let hr: Person['api']
before(async () => {
  acme = await scene.company({ name: 'Acme' })
  hr = acme.admin.api
})

const ana = (email: string) => ({ full_name: 'Ana Horvat', email, department: 'Engineering' })

const mailTo = (email: string) =>
  until(async () => (await scene.mailbox()).find(({ to }) => to === email), `a mail to ${email}`)
const codeIn = ({ text }: { text: string }) => /\b\d{6}\b/.exec(text)?.[0]

const ask = (path: string, body: object) =>
  scene.services.app.request(`/auth/v1/${path}`, {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify(body),
  })

test('the right address gets a mail, the wrong one’s link is void, the password stays', async () => {
  const [wrong, right] = [`aan@${acme.domain}`, `ana@${acme.domain}`]
  const { employee, initial_password } = await hr.employees.add(ana(wrong))
  const { id, version } = employee
  const stray = codeIn(await mailTo(wrong))
  const found = await hr.employees.find({ id })
  assert.deepEqual([found.never_came, found.refusals.correct_address], [true, null])
  const done = await hr.employees.correct_address({ id, version, email: ` ${right.toUpperCase()}` })
  assert.equal(done.email, right)
  await mailTo(right)
  const verified = await ask('verify', { type: 'recovery', email: wrong, token: stray })
  assert.equal(verified.status, 403)
  const sign_in = (email: string) =>
    ask('token?grant_type=password', { email, password: initial_password })
  assert.equal((await sign_in(wrong)).status, 400)
  const answer = await sign_in(right)
  assert.equal(answer.status, 200)
  const { user } = (await answer.json()) as { user: { user_metadata: { email: string } } }
  assert.equal(user.user_metadata.email, right)
  assert.equal((await hr.employees.find({ id })).never_came, false)
})

test('who was added with a password and never came is mailed their link again, until they come', async () => {
  const { employee } = await hr.employees.add(ana(`never@${acme.domain}`))
  const { id, email } = employee
  const first = await mailTo(email)
  assert.equal((await hr.employees.find({ id })).refusals.resend, null)
  await refuses('mailed_just_now', hr.employees.resend({ id }))
  await scene.sql`update profiles set invited_at = now() - interval '2 minutes' where id = ${id}`
  await scene.sql`delete from mails`
  await hr.employees.resend({ id })
  const again = await mailTo(email)
  assert.equal(again.subject, first.subject)
  const came = await acme.hire('Came')
  assert.equal((await hr.employees.find({ id: came.id })).refusals.resend, 'already_accepted')
  await refuses('already_accepted', hr.employees.resend({ id: came.id }))
})

test('once somebody has signed in it is theirs to change', async () => {
  const ben = await acme.hire('Ben')
  const { version, never_came, refusals } = await hr.employees.find({ id: ben.id })
  assert.equal(never_came, false)
  assert.equal(refusals.correct_address, 'address_in_use')
  const change = { id: ben.id, version, email: `stranger@${acme.domain}` }
  await refuses('address_in_use', hr.employees.correct_address(change))
})

test('an address that is taken, foreign to a ready account, stale or of another company is refused', async () => {
  const { employee } = await hr.employees.add(ana(`typo@${acme.domain}`))
  const { id, version } = employee
  const to = (email: string, shown_version = version) =>
    hr.employees.correct_address({ id, version: shown_version, email })
  await refuses('email_taken', to(acme.admin.email))
  await refuses('address_not_vouched', to('ana@elsewhere.test'))
  await refuses('changed_meanwhile', to(`ok@${acme.domain}`, version - 1))
  await refuses('invalid_input', to('no address'))
  const other = (await scene.company({ name: 'Other' })).admin.api.employees
  await refuses('not_found', other.correct_address({ id, version, email: 'ana@other.test' }))
})

test('who was invited and never came is invited again, at the right address', async () => {
  const { employee } = await hr.employees.add(ana('ana@personal.test'))
  assert.equal(employee.account_state, 'pending')
  const email = 'ana@private.test'
  await hr.employees.correct_address({ id: employee.id, version: employee.version, email })
  assert.match((await mailTo(email)).subject, /invites you to Healthfund/)
  assert.equal((await hr.employees.find({ id: employee.id })).account_state, 'pending')
})
