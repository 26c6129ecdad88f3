// The month of that company by acts; its clock goes from day to day. What each person reads is searched for what they
// must not.
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { acmeAddress, claimPlainly, foundAcme, setUp, type PersonName } from './month.ts'
import { openWorld, recordsAreWhole, type World } from './world/by-clock.ts'
import { refuses, type Api } from './world/people.ts'

const approve = async (api: Api, { id }: { id: number }) => {
  const { version } = await api.review.find({ id })
  return api.review.approve({ id, version })
}

test('a month passes: each decides, pays and reads what their rights let them, and no more', async () => {
  const world = await openWorld('2027-03-01')
  try {
    const acme = await foundAcme(world)
    const as = (name: PersonName | 'helena') => world.as(acmeAddress(name))
    await setUp(world, acme)
    await world.on('2027-03-03') // by then whom Helena gave a right is a second person
    const made = await claimed(as)
    await decided(world, as, made)
    await world.on('2027-03-30')
    await paid(as, made)
    await read(as)
    await recordsAreWhole(world, acme)
  } finally {
    await world.close()
  }
})

type As = (name: PersonName | 'helena') => Promise<Api>
type Made = Record<'small' | 'middle' | 'large' | 'hrs' | 'late', { id: number }>

async function claimed(as: As): Promise<Made> {
  return {
    small: await claimPlainly(await as('ana'), 4_000),
    middle: await claimPlainly(await as('ben'), 50_000),
    large: await claimPlainly(await as('ana'), 150_000),
    hrs: await claimPlainly(await as('pia'), 6_000),
    late: await claimPlainly(await as('ben'), 40_000),
  }
}

async function decided(world: World, as: As, made: Made) {
  const [rolf, pia] = [await as('rolf'), await as('pia')]
  await refuses('own_claim', approve(pia, made.hrs))
  for (const claim of Object.values(made)) await approve(rolf, claim)
  for (const name of ['fin', 'aud', 'vic', 'ben'] as const)
    await refuses('forbidden', (await as(name)).review.find(made.small))
  assert.equal((await rolf.review.find(made.small)).status, 'approved')
  await refuses('step_of_others', approve(pia, made.middle))
  await world.on('2027-03-04')
  const rita = await as('rita')
  assert.equal((await approve(rita, made.middle)).status, 'approved')
  assert.equal((await approve(rita, made.large)).stage, 'further_review')
  await refuses('step_of_others', approve(await as('pia'), made.large))
  await world.on('2027-03-10') // Rita's two days are over: her deputy decides
  assert.equal((await approve(await as('pia'), made.late)).status, 'approved')
  assert.equal((await approve(await as('helena'), made.large)).status, 'approved')
}

async function paid(as: As, made: Made) {
  const answers: unknown[] = []
  const fin = recording(await as('fin'), answers)
  const fay = recording(await as('fay'), answers)
  const today = '2027-03-30'
  await fin.payouts.preview({ cut_off_on: today })
  const run = await fin.payouts.make({ cut_off_on: today, pay_on: today })
  await refuses('release_needs_another', fin.payouts.release(run))
  await fay.payouts.release(run)
  await fay.payouts.items({ id: run.id })
  await fay.payouts.find({ id: run.id })
  await fay.payouts.runs({})
  await fay.funds.statement({ plan_year: '2027-01-01' })
  await fay.notifications.list({})
  await fay.needs.list({})
  const words = JSON.stringify(answers)
  assert.ok(words.includes('250000'), 'it was all of it')
  assert.doesNotMatch(words, /Zyxwort/)
  const { types } = await (await as('ana')).claims.options({})
  for (const { name } of types) assert.ok(!words.includes(name), name)

  const own = await (await as('pia')).claims.find({ id: made.hrs.id })
  assert.deepEqual([own.status, own.payment], ['approved', 'paid'])
}

/** The auditor and the viewer read everything but what a claim is for. */
async function read(as: As) {
  const answers: unknown[] = []
  const [aud, vic] = [recording(await as('aud'), answers), recording(await as('vic'), answers)]
  await aud.audit.list({})
  assert.equal((await aud.audit.verify({})).good, true)
  await aud.funds.statement({ plan_year: '2027-01-01' })
  await vic.funds.overview({})
  await vic.review.waiting({})
  await refuses('forbidden', vic.funds.statement({ plan_year: '2027-01-01' }))
  await refuses('forbidden', aud.payouts.make({ cut_off_on: '2027-03-30', pay_on: '2027-03-30' }))
  assert.doesNotMatch(JSON.stringify(answers), /Zyxwort/)
  const { total } = await (await as('pia')).employees.summary({})
  assert.equal(total, 300)
}

/** Keeps what every answer said. */
function recording(api: Api, answers: unknown[]): Api {
  const listening = (acts: Record<string, (...input: unknown[]) => Promise<unknown>>) =>
    new Proxy(acts, {
      get:
        (_, act: string) =>
        async (...input: unknown[]) => {
          const answer = await acts[act]!(...input)
          answers.push(answer)
          return answer
        },
    })
  return new Proxy(api, {
    get: (_, feature: keyof Api) => listening(api[feature] as never),
  })
}
