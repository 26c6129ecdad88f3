// Tools of an operator when something is wrong: a doctor that finds it, and acts for people who cannot help
// themselves. Both as real commands on a real database.
import assert from 'node:assert/strict'
import { once } from 'node:events'
import { mkdir, mkdtemp, readFile, rm, writeFile } from 'node:fs/promises'
import type { AddressInfo } from 'node:net'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { after, before, describe, test } from 'node:test'
import { SMTPServer } from 'smtp-server'
import { backUp } from '#backups/backup.server.ts'
import { runCommand } from './command-run.ts'
import { openS3 } from './s3.ts'
import { utcToday } from './world/money.ts'
import { password, type Person } from './world/people.ts'
import { openScene, type Scene } from './world/scene.ts'

let scene: Scene
let folder: string
let env: Record<string, string>
before(async () => {
  folder = await mkdtemp(path.join(tmpdir(), 'healthfund-rescue-'))
  scene = await openScene({ worker: true, env: { DATA_FOLDER: path.join(folder, 'data') } })
  env = {
    DATABASE_URL: scene.database_url,
    DATA_FOLDER: path.join(folder, 'data'),
    BACKUP_FOLDER: path.join(folder, 'backups'),
  }
})
after(async () => {
  await scene.close()
  await rm(folder, { recursive: true })
})

describe('the doctor', () => {
  const doctor = (more: Record<string, string> = {}, words: string[] = []) =>
    runCommand(['doctor', ...words], { ...env, ...more })
  const finds = async (line: RegExp, more: Record<string, string> = {}, words: string[] = []) => {
    const { out, code } = await doctor(more, words)
    assert.match(out, line)
    return code
  }

  test('finds nothing wrong where nothing is', async () => {
    await scene.superAdmin()
    await scene.company()
    const to = path.join(folder, 'backups/today')
    const place = { url: scene.database_url, data_folder: path.join(folder, 'data') }
    await mkdir(path.dirname(to))
    await backUp({ ...place, to })
    const { code, out, fault } = await doctor()
    assert.deepEqual([code, fault], [0, ''], out)
    for (const what of [
      'Settings',
      'Database',
      'Clock',
      'Schema',
      'Key',
      'Files',
      'Jobs',
      'Backups',
      'Ledgers',
      'Audit',
    ])
      assert.match(out, new RegExp(`^good {3}${what}: `, 'm'))
    assert.match(out, /^LOOK {3}Drill: .* To do: npm run drill -- --fresh$/m, 'which needs no key')
    assert.doesNotMatch(out, /WRONG/)
  })

  test('writes a real object and sends a real mail', async () => {
    const s3 = await openS3()
    const arrived: string[] = []
    const server = new SMTPServer({
      authOptional: true,
      disabledCommands: ['STARTTLS'],
      onData(stream, _, done) {
        stream.on('data', (chunk: Buffer) => arrived.push(chunk.toString()))
        stream.on('end', done)
      },
    })
    await once(server.listen(0, '127.0.0.1'), 'listening')
    const { port } = server.server.address() as AddressInfo
    const own_env = { ...s3.env, SMTP_URL: `smtp://127.0.0.1:${port}` }
    const { code, out } = await doctor(own_env, ['--mail', 'me@example.com'])
    assert.equal(code, 0, out)
    assert.match(out, /Files: S3 at http:.*: a file was written, read back and removed/)
    assert.match(out, /^(good {3}|LOOK {3}|WRONG {2})Disk: .* are free at /m, 'with S3 as well')
    assert.match(out, /Mail: sent to me@example\.com/)
    assert.match(arrived.join(''), /Subject: Healthfund: a test mail/)
    await new Promise<void>((resolve) => server.close(resolve))
    assert.equal(await finds(/WRONG {2}Mail: the mail server: it can’t be reached/, own_env), 1)
    const unknown = { ...own_env, S3_BUCKET: 'nowhere' }
    assert.equal(await finds(/Files: S3 at \S+: S3 answered 404: NoSuchBucket\. To do/, unknown), 1)
    await s3.close()
    assert.equal(await finds(/WRONG {2}Files: S3 at \S+: connect ECONNREFUSED/, own_env), 1)
    const site = /LOOK {3}Site: \S+ does not answer \(fetch failed \(connect .*\)\)\. To do/
    await finds(site, { SITE_URL: `http://127.0.0.1:${port}` })
  })

  test('finds a setting that is misspelt, and none in what others read', async () => {
    const initial_password = {
      BACKUP_SHEDULE: '17 2 * * *',
      NODE_EXTRA_CA_CERTS: '',
      OTEL_LOG_LEVEL: 'info',
    }
    const { out } = await doctor(initial_password)
    assert.match(out, /LOOK {3}Settings: BACKUP_SHEDULE is none, and nobody reads it/)
    assert.doesNotMatch(out, /NODE_EXTRA|OTEL_LOG/)
  })

  test('finds a database that is away, a lost key and a newer schema, and goes no further', async () => {
    const away = await doctor({ DATABASE_URL: 'postgres://a:b@127.0.0.1:1/c' })
    assert.match(away.out, /WRONG {2}Database: Nothing answers at 127\.0\.0\.1:1/)
    assert.doesNotMatch(away.out, /Key|Jobs/)
    assert.equal(away.code, 1)
    assert.equal(await finds(/WRONG {2}Key: .*none is here/, { DATA_FOLDER: folder }), 1)
    await scene.sql`insert into migrations (name, hash) values ('999_later.sql', 'x')`
    assert.equal(
      await finds(/WRONG {2}Schema: .*999_later\.sql, which this version does not know/),
      1,
    )
    await scene.sql`delete from migrations where name = '999_later.sql'`
  })

  test('finds an old backup, none at all, and jobs that failed for good', async () => {
    const old = path.join(folder, 'backups/today/manifest.json')
    const manifest = JSON.parse(await readFile(old, 'utf8'))
    await writeFile(old, JSON.stringify({ ...manifest, made_at: '2020-01-01T00:00:00.000Z' }))
    assert.equal(await finds(/WRONG {2}Backups: the newest is \d+ hours old/), 1)
    await finds(/LOOK {3}Backups: none in /, { BACKUP_FOLDER: path.join(folder, 'nowhere') })
    await scene.sql`select add_job('no:such', run_at => now() + interval '1 day')`
    await scene.sql`update graphile_worker._private_jobs set attempts = max_attempts, last_error = 'x'
      where task_id = (select id from graphile_worker._private_tasks where identifier = 'no:such')`
    assert.equal(await finds(/WRONG {2}Jobs: 1 failed for good/), 1)
  })

  test('bundles what helps whoever helps, and nothing of anybody', async () => {
    const company = await scene.company({ name: 'Quiet Mill' })
    const zora = await company.hire('Zora')
    await scene.sql`select post_mail(${zora.email}, 'For Zora', 'Zora, of Quiet Mill', '', true)`
    await scene.sql`select add_job('no:such', json_build_object('who', 'Zora')::json)`
    await scene.sql`update graphile_worker._private_jobs
      set last_error = 'Zora could not be found', attempts = 2 where payload::text like '%Zora%'`
    const file = path.join(folder, 'support.json')
    const secret = { METRICS_TOKEN: 'hush-hush', SMTP_URL: 'smtp://mailer:hush@127.0.0.1:1' }
    const { out } = await doctor(secret, ['--bundle', file])
    assert.match(out, /Written to .*support\.json/)
    const text = await readFile(file, 'utf8')
    const bundle = JSON.parse(text)
    assert.equal(bundle.settings.METRICS_TOKEN, 'set')
    assert.equal(bundle.settings.PORT, 3000)
    assert.ok(bundle.found.some(({ what }: { what: string }) => what === 'Ledgers'))
    const tables = bundle.database.tables.map(({ name }: { name: string }) => name)
    assert.ok(tables.includes('public.claims'))
    assert.ok(bundle.database.jobs.some(({ task }: { task: string }) => task === 'no:such'))
    const personal = [zora.email, zora.id, company.id, company.domain, company.admin.email]
    const words = ['Zora', 'Quiet Mill', 'hush', 'mailer', folder, 'healthfund.test', '127.0.0.1']
    for (const word of [...personal, ...words]) assert.ok(!text.includes(word), word)
    const again = await doctor(secret, ['--bundle', file])
    assert.equal(again.code, 1) // what is there is not written over
    await scene.sql`select graphile_worker.complete_jobs(array(
      select id from graphile_worker.jobs where task_identifier in ('no:such', 'mail:send')))`
  })

  test('finds a forged ledger', async () => {
    const boss = await scene.superAdmin()
    const company = await scene.company({ name: 'Forged' })
    await boss.api.funds.contribute({
      company_id: company.id,
      amount_cents: 1_000,
      occurred_on: utcToday(),
      reference: 'forged',
    })
    await scene.sql`update transfers set amount_cents = 999 where company_id = ${company.id}`
    assert.equal(await finds(/WRONG {2}Ledgers: Forged/), 1)
  })
})

describe('admin', () => {
  const admin = (...words: string[]) => runCommand(['admin', ...words], env)
  const audited = async (person: string) =>
    (
      await scene.sql<{ what: string; address: string }[]>`
        select after ->> 'by_the_operator' as what, address from audit_log
        where row_id = ${person} and after ? 'by_the_operator' order by id`
    ).map(({ what, address }) => `${address}: ${what}`)
  const isIn = async ({ api }: Person) =>
    api.users.me({}).then(
      () => true,
      () => false,
    )
  const enter = async (email: string, sign_in_password: string) => {
    const answer = await scene.services.app.request('/auth/v1/token?grant_type=password', {
      method: 'POST',
      headers: { 'content-type': 'application/json' },
      body: JSON.stringify({ email, password: sign_in_password }),
    })
    return answer.status
  }

  test('ends the sessions of one person, and of nobody else', async () => {
    const [ana, ben] = [await scene.superAdmin(), await scene.superAdmin()]
    const { code, out } = await admin('end-sessions', ana.email.toUpperCase())
    assert.deepEqual([code, out], [0, `${ana.email} is signed out everywhere.`])
    assert.deepEqual([await isIn(ana), await isIn(ben)], [false, true])
    assert.deepEqual(await audited(ana.id), ['npm run admin: sessions ended'])
  })

  test('sets a password that is shown once and has to be changed', async () => {
    const ana = await scene.superAdmin()
    const { out, fault } = await admin('set-password', ana.email)
    assert.equal(fault, '')
    const initial_password = /signs in with (\S+) and/.exec(out)?.[1] ?? ''
    assert.equal(await enter(ana.email, password), 400)
    assert.equal(await enter(ana.email, initial_password), 200)
    const [user] =
      await scene.sql`select password_must_change as must from auth.users where id = ${ana.id}`
    assert.equal(user?.must, true)
    assert.deepEqual(await audited(ana.id), ['npm run admin: password set'])
  })

  test('removes a second step that somebody has lost', async () => {
    const ana = await scene.superAdmin()
    await scene.sql`insert into auth.factors (user_id, factor_type, status, friendly_name)
      values (${ana.id}, 'phone', 'verified', 'lost')`
    await admin('reset-two-step', ana.email)
    assert.deepEqual(
      [...(await scene.sql`select id from auth.factors where user_id = ${ana.id}`)],
      [],
    )
    assert.equal(await isIn(ana), false)
    assert.deepEqual(await audited(ana.id), ['npm run admin: second step removed'])
  })

  test('makes a Super Admin of somebody who is here, or of somebody new', async () => {
    const ana = await scene.signUp('ana@elsewhere.test', 'employee')
    const { out } = await admin('super-admin', ana.email)
    assert.equal(out, `${ana.email} is a Super Admin.`)
    const again = await scene.signIn(ana.email)
    assert.equal((await again.api.users.me({})).role, 'super_admin')
    const made = await admin('super-admin', 'new@elsewhere.test', 'Nora New')
    assert.equal(made.fault, '')
    const initial_password = /signs in with (\S+) and/.exec(made.out)?.[1] ?? ''
    assert.equal(await enter('new@elsewhere.test', initial_password), 200)
    const [person] = await scene.sql`
      select role, status, full_name from profiles where email = 'new@elsewhere.test'`
    assert.deepEqual(
      { ...person },
      { role: 'super_admin', status: 'active', full_name: 'Nora New' },
    )
  })

  test('refuses what it does not know, and whom it does not know', async () => {
    const ana = await (await scene.company()).hire('Ana')
    await scene.superAdmin()
    const refused: [words: string[], because: RegExp][] = [
      [['bogus', ana.email], /^There is no admin bogus: super-admin, /],
      [['end-sessions', 'no@where.test'], /^Nobody here has the address no@where\.test\.$/],
      [['super-admin', 'no@where.test'], /^Nobody has the address no@where\.test\. To make/],
      [['end-sessions', ana.email, 'Ana'], /^admin end-sessions takes an email address only\.$/],
      [['super-admin', 'ana@elsewhere.test'], /is a Super Admin already\.$/],
    ]
    for (const [words, because] of refused) {
      const { code, fault } = await admin(...words)
      assert.equal(code, 1)
      assert.match(fault, because)
    }
  })
})
