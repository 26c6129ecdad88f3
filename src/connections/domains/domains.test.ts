// Domains of a company: whose one is, how it is proven, and what follows from it.
import assert from 'node:assert/strict'
import { after, before, describe, test } from 'node:test'
import { poster } from '#lib/mail.server.ts'
import { openNameServer } from '../../../test/name-server.ts'
import { refuses, type Company, type Person } from '../../../test/world/people.ts'
import { openScene, type Scene } from '../../../test/world/scene.ts'
import { checkDomain, mailDomainCode } from './jobs.server.ts'
import { recordOf } from './record.ts'

let scene: Scene
let names: Awaited<ReturnType<typeof openNameServer>>
before(async () => {
  scene = await openScene()
  names = await openNameServer()
})
after(async () => {
  names.close()
  await scene.close()
})

const lookUp = (company_id: string, domain: string, servers = [names.address]) =>
  checkDomain(servers)({ company_id, domain }, scene.tools)
const one = async ({ api }: Person, domain: string) =>
  (await api.domains.list({})).find((each) => each.domain === domain)

let count = 0
const fresh = () => `branch${(count += 1)}.test`
/** Requested, and proven by its record. */
async function proven({ id, admin }: Company, domain = fresh()) {
  await admin.api.domains.request({ domain })
  const { name, value } = recordOf(domain, id)
  names.set(name, value)
  await lookUp(id, domain)
  return domain
}
const owns = async (company: string, domain: string) => {
  const [found] = await scene.sql<[{ yes: boolean }]>`
    select private.owns_domain(${company}, ${domain}) as yes`
  return found.yes
}

describe('a domain is proven', () => {
  test('by its record, also among others and in parts, and not by another company’s', async () => {
    const [acme, other] = [await scene.company(), await scene.company()]
    const domain = fresh()
    await acme.admin.api.domains.request({ domain })
    await acme.admin.api.domains.check({ domain })
    assert.equal((await one(acme.admin, domain))?.checking, true)
    await lookUp(acme.id, domain)
    assert.equal((await one(acme.admin, domain))?.fault, 'missing')
    const { name } = recordOf(domain, acme.id)
    names.set(name, 'v=spf1 -all', recordOf(domain, other.id).value)
    await lookUp(acme.id, domain)
    assert.equal((await one(acme.admin, domain))?.fault, 'different')
    assert.equal(await owns(acme.id, domain), false)
    names.set(name, 'x'.repeat(300), recordOf(domain, acme.id).value)
    await lookUp(acme.id, domain)
    const own = await one(acme.admin, domain)
    assert.ok(own?.proven_at)
    assert.deepEqual([own.is_requested, own.is_first], [false, false])
    assert.deepEqual([await owns(acme.id, domain), await owns(other.id, domain)], [true, false])
  })

  test('not while name servers do not answer', async () => {
    const { id, admin } = await scene.company()
    const domain = fresh()
    await admin.api.domains.request({ domain })
    const broken = await openNameServer()
    broken.break()
    await lookUp(id, domain, [broken.address])
    broken.close()
    assert.equal((await one(admin, domain))?.fault, 'servers')
  })

  test('by the code that its postmaster was mailed, once, within a day, for this domain', async () => {
    const { id, admin } = await scene.company()
    const [domain, another] = [fresh(), fresh()]
    const { request, mail_code, confirm_code } = admin.api.domains
    await request({ domain })
    await request({ domain: another })
    const code_of = async (of: string) => {
      await mail_code({ domain: of })
      await mailDomainCode(poster(false))({ company_id: id, domain: of }, scene.tools)
      const mail = (await scene.mailbox()).find(({ to }) => to === `postmaster@${of}`)
      return /Your code: (\S+)/.exec(mail!.text)![1]!
    }
    const code = await code_of(domain)
    await refuses('domain_code_wrong', confirm_code({ domain, code: 'AAAAA-AAAAA' }))
    await refuses('domain_code_wrong', confirm_code({ domain: another, code }))
    await scene.sql`update domain_requests set code_ends_at = now() where domain = ${domain}`
    await refuses('domain_code_wrong', confirm_code({ domain, code }))
    const second = await code_of(domain)
    await refuses('domain_code_wrong', confirm_code({ domain, code }))
    await confirm_code({ domain, code: second.toLowerCase().replace('-', ' ') })
    assert.ok(await owns(id, domain))
    await refuses('not_found', confirm_code({ domain, code: second }))
    await code_of(another)
    await code_of(another)
    await code_of(another)
    await refuses('domain_mailed_enough', mail_code({ domain: another }))
  })

  test('the first one, too, where the provider had entered it', async () => {
    const { id, admin } = await scene.company()
    const domain = fresh()
    await scene.sql`update companies set domain = ${domain} where id = ${id}`
    assert.equal((await one(admin, domain))?.proven_at, null)
    await proven({ id, admin } as Company, domain)
    const own = await one(admin, domain)
    assert.ok(own?.proven_at && own.is_first)
  })

  test('and becomes the first one of a company that has none', async () => {
    const gina = await scene.signUp(`gina${(count += 1)}@gmail.com`, 'company_admin', {
      company_name: 'Gina’s',
    })
    const { company } = await gina.api.users.me({})
    await refuses('company_pending', gina.api.domains.request({ domain: fresh() }))
    await scene.sql`update companies set status = 'active' where id = ${company!.id}`
    const domain = await proven({ id: company!.id, admin: gina } as Company)
    assert.ok((await one(gina, domain))?.is_first)
  })
})

describe('a domain is one company’s', () => {
  test('not a free mail one, nor another’s, nor one’s own again; twenty at most', async () => {
    const [acme, other] = [await scene.company(), await scene.company()]
    const { request } = acme.admin.api.domains
    const refused = async (code: string, domain: string) => {
      const { fields } = await request({ domain }).catch((error) => error)
      assert.deepEqual(fields?.domain?.length, 1, `${code} ${domain}`)
      const [found] = await scene.sql`select from domain_requests where domain = ${domain}`
      assert.equal(found, undefined, code)
    }
    await refused('free_mail_domain', 'gmail.com')
    await refused('domain_taken', other.domain)
    await refused('domain_taken', await proven(other))
    await refused('domain_already_yours', acme.domain)
    await refused('domain_already_yours', await proven(acme))
    await refused('invalid', 'no spaces')
    for (let at = 0; at < 19; at += 1) await request({ domain: fresh() })
    await refused('too_many_domains', fresh())
  })

  test('of two who request it the first to prove it has it', async () => {
    const [acme, other] = [await scene.company(), await scene.company()]
    const domain = fresh()
    await other.admin.api.domains.request({ domain })
    await proven(acme, domain)
    names.set(recordOf(domain, other.id).name, recordOf(domain, other.id).value)
    await lookUp(other.id, domain)
    assert.equal((await one(other.admin, domain))?.fault, 'taken')
    const boss = await scene.superAdmin()
    const { version, name, time_zone } = await boss.api.companies.find({ id: other.id })
    const change = boss.api.companies.change({ id: other.id, version, name, time_zone, domain })
    await refuses('domain_taken', change)
    assert.deepEqual([await owns(acme.id, domain), await owns(other.id, domain)], [true, false])
  })

  test('that is made the first one stays proven', async () => {
    const acme = await scene.company()
    const domain = await proven(acme)
    const boss = await scene.superAdmin()
    const { version, name, time_zone } = await boss.api.companies.find({ id: acme.id })
    const changed = await boss.api.companies.change({
      id: acme.id,
      version,
      name,
      time_zone,
      domain,
    })
    assert.ok(changed.domain_proven_at)
    const all = await acme.admin.api.domains.list({})
    assert.deepEqual(
      all.map((each) => [each.domain, each.is_first]),
      [[domain, true]],
    )
  })
})

describe('what follows from a proven domain', () => {
  test('who signs up there joins where the company takes in its domains, else asks', async () => {
    const acme = await scene.company()
    const early = await scene.signUp(`early@${fresh()}`, 'employee')
    const domain = early.email.split('@')[1]!
    assert.equal((await early.api.users.me({})).company, null)
    await proven(acme, domain)
    const me = await early.api.users.me({})
    assert.deepEqual([me.company?.id, me.status], [acme.id, 'active'])
    const ben = await (await scene.signUp(`ben@${domain}`, 'employee')).api.users.me({})
    assert.deepEqual([ben.company?.id, ben.status], [acme.id, 'active'])
    await acme.admin.api.companies.set_auto_registration({ enabled: false })
    const cid = await (await scene.signUp(`cid@${domain}`, 'employee')).api.users.me({})
    assert.equal(cid.status, 'pending')
    const requests = await acme.admin.api.employees.requests({})
    assert.ok(requests.people.some(({ email }) => email === `cid@${domain}`))
    await acme.admin.api.companies.set_auto_registration({ enabled: true })
    const { others } = await acme.admin.api.companies.domain({})
    assert.deepEqual(others, [domain])
    const admin = await scene.signUp(`dora@${domain}`, 'company_admin')
    assert.equal((await admin.api.users.me({})).status, 'pending')
    await acme.admin.api.domains.remove({ domain })
    const eve = await (await scene.signUp(`eve@${domain}`, 'employee')).api.users.me({})
    assert.equal(eve.company, null)
    await refuses('not_found', acme.admin.api.domains.remove({ domain }))
    await refuses('not_found', acme.admin.api.domains.remove({ domain: acme.domain }))
  })

  test('an admin sees their own company’s alone, an employee none', async () => {
    const [acme, other] = [await scene.company(), await scene.company()]
    const domain = await proven(acme)
    assert.equal(await one(other.admin, domain), undefined)
    await refuses('not_found', other.admin.api.domains.remove({ domain }))
    const ana = await acme.hire('Ana')
    await refuses('forbidden', ana.api.domains.list({}))
  })
})
