// Promises of turning a domain on: the question beforehand names those who come in, and nobody else.
import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import { refuses, type Company } from '../../../test/world/people.ts'
import { openedScene } from '../../../test/world/scene.ts'

const scene = openedScene()

/** People sign up and confirm, in this order. */
async function signUp(addresses: string[], more: { role?: string } = {}) {
  for (const email of addresses) {
    await scene.sql`insert into auth.users (email, email_confirmed_at, raw_user_meta_data)
      values (${email}, now(), ${scene.sql.json({ full_name: email.split('@')[0]!, ...more })})`
  }
}
const shut = async (name: string) => {
  const company = await scene.company({ name })
  await company.admin.api.companies.set_auto_registration({ enabled: false })
  return company
}
const active = async ({ id }: Company) => {
  const found = await scene.sql<{ name: string }[]>`select full_name as name from profiles
    where company_id = ${id} and role = 'employee' and status = 'active' order by sort_name`
  return found.map(({ name }) => name)
}
const many = Array.from({ length: 70 }, (_, at) => `p${10 + at}`)

type Case = { of: string; wait: (company: Company) => Promise<unknown>; in: string[] }
const cases: Case[] = [
  {
    of: 'more than a page of them',
    wait: ({ domain }) => signUp(many.map((name) => `${name}@${domain}`)),
    in: many,
  },
  {
    of: 'one mailbox by two addresses',
    wait: ({ domain }) => signUp([`ana@${domain}`, `ana+2@${domain}`]),
    in: ['ana'],
  },
  {
    of: 'a second address of somebody who is here',
    wait: async (company) => {
      await signUp([`ana@${company.domain}`])
      const { people } = await company.admin.api.employees.requests({})
      await company.admin.api.employees.approve({ id: people[0]!.id })
      await signUp([`ana+2@${company.domain}`, `ben@${company.domain}`])
    },
    in: ['ben'],
  },
  {
    of: 'somebody who was declined, and somebody who asked to be an admin',
    wait: async ({ domain, admin }) => {
      await signUp([`ana@${domain}`])
      const { people } = await admin.api.employees.requests({})
      await admin.api.employees.decline({ id: people[0]!.id })
      await signUp([`ben@${domain}`])
      await signUp([`boss@${domain}`], { role: 'company_admin' })
    },
    in: ['ben'],
  },
  {
    of: 'somebody at a further domain, who waited before it was theirs',
    wait: async ({ id, domain }) => {
      await signUp([`ana@also.${domain}`])
      await scene.sql`insert into company_domains (company_id, domain, proof)
        values (${id}, ${`also.${domain}`}, 'mail')`
      await signUp([`ben@also.${domain}`])
    },
    in: ['ana', 'ben'],
  },
  {
    of: 'a company without a domain, which gets that of whoever turns it on',
    wait: async ({ id, domain }) => {
      await scene.sql`update companies set domain = null where id = ${id}`
      await signUp([`ana@${domain}`])
    },
    in: ['ana'],
  },
]

describe('those whom turning a domain on lets in are those whom it names beforehand', () => {
  for (const { of, wait, in: names } of cases) {
    test(of, async () => {
      const company = await shut('Shut')
      await wait(company)
      const here = await active(company)
      const { lets_in } = await company.admin.api.companies.domain({})
      await company.admin.api.companies.set_auto_registration({ enabled: true })
      const came = (await active(company)).filter((name) => !here.includes(name))
      assert.deepEqual(came, names)
      assert.deepEqual([lets_in.people, lets_in.names], [came.length, came.slice(0, 5)])
    })
  }

  test('nobody at a public email domain is named to a company without one', async () => {
    const company = await shut('Free')
    await scene.sql`insert into free_mail_domains (domain) values (${company.domain})`
    await scene.sql`update companies set domain = null where id = ${company.id}`
    await signUp([`stranger@${company.domain}`])
    const { lets_in } = await company.admin.api.companies.domain({})
    assert.deepEqual(lets_in, { people: 0, names: [] })
  })

  test('nobody at an unverified domain is named, nor anybody else while that keeps it off', async () => {
    const company = await shut('Unverified')
    const { companies } = company.admin.api
    await scene.sql`update companies set domain = 'of-others.test', domain_proven_at = null
      where id = ${company.id}`
    await signUp(['stranger@of-others.test'])
    assert.deepEqual((await companies.domain({})).lets_in, { people: 0, names: [] })
    await scene.sql`insert into company_domains (company_id, domain, proof)
      values (${company.id}, 'further.test', 'dns')`
    await signUp(['ana@further.test'])
    assert.deepEqual((await companies.domain({})).lets_in, { people: 0, names: [] })
    await refuses('domain_not_proven', companies.set_auto_registration({ enabled: true }))
    await scene.sql`update companies set domain_proven_at = now() where id = ${company.id}`
    const { names } = (await companies.domain({})).lets_in
    assert.deepEqual(names, ['ana', 'stranger'])
    await companies.set_auto_registration({ enabled: true })
    assert.deepEqual(await active(company), names)
  })
})

test('somebody who signs up comes in by the same rule', async () => {
  const company = await scene.company({ name: 'Open' })
  await signUp([`ana@${company.domain}`, `ana+2@${company.domain}`, `ben@${company.domain}`])
  assert.deepEqual(await active(company), ['ana', 'ben'])
})
