// A page's questions in one request: each is answered, refused and seated as if it had come alone.
import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import { client, type Send } from '#lib/contract.ts'
import { askTogether } from '#lib/together.ts'
import { contracts } from '#contracts.ts'
import { refuses, type Person } from './world/people.ts'
import { opened } from './world/opened.ts'
import { openedScene } from './world/scene.ts'

type Answers = { status: number; answer: { code?: string } & Record<string, unknown> }[]

const scene = openedScene()
const acme = opened(() => scene.company())
const ana = opened(() => acme.hire('Ana'))

const get = (who: Person | undefined, path: string) =>
  scene.services.app.request(`http://127.0.0.1/api${path}`, {
    headers: who ? { authorization: `Bearer ${who.token}` } : {},
  })

async function ask(who: Person | undefined, ...addresses: string[]): Promise<Answers> {
  const response = await get(
    who,
    `/together?${new URLSearchParams(addresses.map((path) => ['ask', path]))}`,
  )
  assert.equal(response.status, 200)
  return (await response.json()) as Answers
}

describe('what is asked together', () => {
  const page = ['/me', '/needs', '/funds', '/review/claims?sort=newest&limit=5', '/employees']

  test('is answered as it is alone', async () => {
    const alone = await Promise.all(
      page.map(async (path) => (await get(acme.admin, path)).json() as unknown),
    )
    const answers = await ask(acme.admin, ...page)
    assert.deepEqual(
      answers,
      alone.map((answer) => ({ status: 200, answer })),
    )
  })

  test('is refused one by one: what is forbidden, wrong, not there or no question', async () => {
    const nobody = '00000000-0000-4000-8000-000000000000'
    const answers = await ask(
      ana,
      '/review/claims',
      '/claims/mine?limit=many',
      `/employees/${nobody}`,
      '/nowhere',
      '/claims/%E0%A4%A',
      '/audit.csv',
      '/me',
    )
    assert.deepEqual(
      answers.map(({ status, answer }) => answer.code ?? status),
      ['forbidden', 'invalid_input', 'forbidden', 'not_found', 'not_found', 'not_found', 200],
    )
    const there = await ask(acme.admin, `/employees/${nobody}`, '/claims/mine/0', '/me')
    assert.deepEqual(
      there.map(({ status }) => status),
      [404, 404, 200],
    )
  })

  test('fails by itself in the database: what comes behind is answered', async () => {
    const [failed, me] = await ask(acme.admin, '/funds?plan_year=0001-01-01', '/me')
    assert.notEqual(failed!.status, 200)
    assert.equal(me!.answer['id'], acme.admin.id)
  })

  test('keeps nothing that one of them set for itself', async () => {
    const [, second] = await ask(acme.admin, '/review/claims', '/funds')
    const [alone] = await ask(acme.admin, '/funds')
    assert.deepEqual(second, alone)
  })

  test('goes alone where it tunes the transaction', async () => {
    const list = '/employees?status=active'
    const [alone] = await ask(acme.admin, list)
    const [me, found, funds] = await ask(acme.admin, '/me', list, '/funds')
    assert.deepEqual([me!.status, found, funds!.status], [200, alone, 200])
  })

  test('is each asked from its own seat by who is both an admin and an employee', async () => {
    const { company } = await acme.admin.api.users.me({})
    const pia = await acme.hire('Pia')
    await scene.sql`insert into company_rights (company_id, person_id, kind, confirmed_at)
      values (${company!.id}, ${pia.id}, 'reviewer', now())`
    const answers = await ask(
      pia,
      '/claims/mine',
      '/review/claims',
      '/dependents',
      '/review/summary',
    )
    assert.deepEqual(
      answers.map(({ status }) => status),
      [200, 200, 200, 200],
    )
    const [own, all] = answers
    assert.deepEqual(own!.answer, await (await get(pia, '/claims/mine')).json())
    assert.deepEqual(all!.answer, await (await get(pia, '/review/claims')).json())
  })

  test('is nobody’s without a token, and everybody’s where it is open to all', async () => {
    const answers = await ask(undefined, '/me', '/site')
    assert.deepEqual(
      answers.map(({ status }) => status),
      [401, 200],
    )
  })

  test('is as many questions as it has, and at most so many', async () => {
    const many = Array.from({ length: 25 }, () => 'ask=%2Fme').join('&')
    assert.equal((await get(ana, `/together?${many}`)).status, 422)
    assert.deepEqual(await (await get(ana, '/together')).json(), [])
  })
})

describe('the browser', () => {
  const sent: string[] = []
  const send: Send = (request) => {
    sent.push(new URL(request.url).pathname)
    request.headers.set('authorization', `Bearer ${ana.token}`)
    return Promise.resolve(scene.services.app.fetch(request))
  }
  const together = askTogether(send)
  const users = () => client(contracts.users, together, 'http://127.0.0.1')
  const review = () => client(contracts.review, together, 'http://127.0.0.1')

  test('sends what is asked in one turn as one request, whatever the feature', async () => {
    sent.length = 0
    const [me, refused] = await Promise.allSettled([users().me({}), review().summary({})])
    assert.deepEqual(sent, ['/api/together'])
    assert.equal(me.status === 'fulfilled' && me.value.id, ana.id)
    assert.equal(refused.status === 'rejected' && refused.reason.code, 'forbidden')
  })

  test('sends what is asked alone, and what is no question, as it is', async () => {
    sent.length = 0
    await users().me({})
    await refuses('forbidden', review().undo({ id: 1 }))
    assert.deepEqual(sent, ['/api/me', '/api/review/claims/1/undo'])
  })

  test('asks one by one where the server answers nothing together yet', async () => {
    const old = askTogether(async (request) =>
      new URL(request.url).pathname.endsWith('/together')
        ? Response.json({ code: 'not_found' }, { status: 404 })
        : send(request),
    )
    const api = client(contracts.users, old, 'http://127.0.0.1')
    const both = await Promise.all([api.me({}), api.me({})])
    assert.deepEqual(
      both.map(({ id }) => id),
      [ana.id, ana.id],
    )
  })
})
