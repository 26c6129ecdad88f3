// The provider reads how the installation is set up, and sends a mail to see that mail works.
import assert from 'node:assert/strict'
import { once } from 'node:events'
import type { AddressInfo } from 'node:net'
import { after, before, describe, test } from 'node:test'
import { SMTPServer } from 'smtp-server'
import { refuses, type Person } from '../../test/world/people.ts'
import { openScene, type Scene } from '../../test/world/scene.ts'
import { until } from '../../test/until.ts'

const secrets = ['hush-smtp', 'hush-s3', 'hush-backup', 'hush-metrics', 'a-user-of-mail']

describe('the installation', () => {
  let scene: Scene
  let boss: Person
  let smtp: SMTPServer
  const arrived: { to: string[]; text: string }[] = []
  before(async () => {
    smtp = new SMTPServer({
      authOptional: true,
      disabledCommands: ['STARTTLS'],
      onAuth: ({ username }, _, done) => done(null, { user: username }),
      onData(stream, { envelope }, done) {
        const chunks: Buffer[] = []
        stream.on('data', (chunk: Buffer) => chunks.push(chunk))
        stream.on('end', () => {
          const to = envelope.rcptTo.map(({ address }) => address)
          arrived.push({ to, text: Buffer.concat(chunks).toString() })
          done()
        })
      },
    })
    await once(smtp.listen(0, '127.0.0.1'), 'listening')
    const { port } = smtp.server.address() as AddressInfo
    scene = await openScene({
      worker: true,
      env: {
        SMTP_URL: `smtp://a-user-of-mail:hush-smtp@127.0.0.1:${port}`,
        MAIL_FROM: 'Fund <fund@example.com>',
        OPERATOR_NAME: 'Example Benefits Ltd',
        METRICS_TOKEN: 'hush-metrics',
        S3_ENDPOINT: 'http://a-user-of-mail:hush-s3@127.0.0.1:9',
        S3_BUCKET: 'receipts',
        S3_ACCESS_KEY_ID: 'key',
        S3_SECRET_ACCESS_KEY: 'hush-s3',
        BACKUP_S3_ENDPOINT: 'https://s3.elsewhere.example.com',
        BACKUP_S3_BUCKET: 'kept',
        BACKUP_S3_ACCESS_KEY_ID: 'key',
        BACKUP_S3_SECRET_ACCESS_KEY: 'hush-backup',
        SESSION_DAYS: '7',
      },
    })
    boss = await scene.superAdmin()
  })
  after(async () => {
    await scene.close()
    await new Promise<void>((resolve) => smtp.close(resolve))
  })

  test('shows its settings, without a secret, to the provider alone', async () => {
    const installation = await boss.api.system.installation({})
    assert.deepEqual(installation.operator, {
      name: 'Example Benefits Ltd',
      address: null,
      email: null,
      country: null,
    })
    assert.match(installation.mail.server ?? '', /^127\.0\.0\.1:\d+$/)
    assert.deepEqual(
      [
        installation.mail.from,
        installation.files,
        installation.backups.place,
        installation.limits.session_days,
      ],
      ['Fund <fund@example.com>', 'receipts at 127.0.0.1:9', 'kept at s3.elsewhere.example.com', 7],
    )
    for (const secret of secrets) assert.ok(!JSON.stringify(installation).includes(secret), secret)
    const { admin } = await scene.company()
    await refuses('forbidden', admin.api.system.installation({}))
    await refuses('forbidden', admin.api.system.test_mail({}))
  })

  test('sends a test mail that arrives, to whoever asks', async () => {
    const { to } = await boss.api.system.test_mail({})
    assert.equal(to, boss.email)
    const mail = await until(
      () => arrived.find(({ text }) => /^Subject: A test mail/m.test(text)),
      'the test mail',
    )
    assert.deepEqual(mail.to, [boss.email])
    assert.match(mail.text, /^From: Fund <fund@example\.com>/m)
  })
})
