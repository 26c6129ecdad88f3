// A notification all the way: the act, the job by the clock, the mail server, its refusal, the next try.
import assert from 'node:assert/strict'
import { EventEmitter, once } from 'node:events'
import type { AddressInfo } from 'node:net'
import { after, before, describe, test } from 'node:test'
import { SMTPServer } from 'smtp-server'
import { senderOf } from '#lib/mail.server.ts'
import { openScene, type Scene } from '../../test/world/scene.ts'

describe('notifications through a mail server', () => {
  let scene: Scene
  let server: SMTPServer
  const post = new EventEmitter()
  const tried: string[] = []

  before(async () => {
    server = new SMTPServer({
      authOptional: true,
      disabledCommands: ['STARTTLS'],
      // A stranger's first try is sent away, as greylisting does.
      onRcptTo({ address }, _, done) {
        const first = !tried.includes(address)
        tried.push(address)
        const later = Object.assign(new Error('Try again later'), { responseCode: 451 })
        done(first && address.startsWith('ana') ? later : null)
      },
      onData(stream, _, done) {
        const chunks: Buffer[] = []
        stream.on('data', (chunk: Buffer) => chunks.push(chunk))
        stream.on('end', () => {
          post.emit('mail', Buffer.concat(chunks).toString())
          done()
        })
      },
    })
    await once(server.listen(0, '127.0.0.1'), 'listening')
    const { port } = server.server.address() as AddressInfo
    const env = { SMTP_URL: `smtp://127.0.0.1:${port}` }
    scene = await openScene({ env, worker: true })
  })
  after(async () => {
    await scene.close()
    await new Promise<void>((resolve) => server.close(resolve))
  })

  test('a greylisted mail arrives with the next try, and is sent no third time', async () => {
    const acme = await scene.company()
    const ana = await acme.hire('Ana')
    const arrived = once(post, 'mail')
    await scene.sql`
      select notify_person(${ana.id}, 'claim_approved',
        '{"claim": 5, "approved_cents": 8000, "currency": "EUR"}', '5')`
    await scene.sql`select add_job('notifications:mail', key => 'notifications:mail')`
    const [mail] = (await arrived) as [string]
    assert.deepEqual(tried, [ana.email, ana.email])
    assert.match(mail, /^From: "?Acme via Healthfund"? <[^<>@\s]+@[^<>\s]+>/m)
    assert.match(mail, /^Subject: Claim #5 was approved/m)
    assert.match(mail, /text\/plain[^]*80\.00 was approved\.[^]*text\/html/)
    assert.match(mail, /^List-Unsubscribe-Post: List-Unsubscribe=One-Click/m)
    // The answer 250 of the mail server is lost here right after it came.
    const again = once(post, 'mail')
    const ben = await acme.hire('Ben')
    await scene.sql`
      select notify_person(${ben.id}, 'claim_approved', '{"claim": 6, "currency": "EUR"}',
        '5')`
    await scene.sql`select add_job('notifications:mail', key => 'notifications:mail')`
    assert.match(((await again) as [string])[0], /^Subject: Claim #6/m)
    assert.equal(tried.filter((address) => address === ana.email).length, 2)
  })

  test('no name of a company adds a line or another sender, and none that waits is named', async () => {
    const from = 'Healthfund <fund@example.com>'
    const evil = senderOf(from, 'Bank\r\nBcc: all@example.com\u202e "x" <ceo@bank.test>')
    assert.deepEqual(evil, {
      name: 'Bank Bcc: all@example.com "x" <ceo@bank.test> via Healthfund',
      address: 'fund@example.com',
    })
    assert.equal(senderOf(from, null), from)
    assert.deepEqual(senderOf('fund@example.com', 'Acme'), {
      name: 'Acme via Healthfund',
      address: 'fund@example.com',
    })
    const young = await scene.company({ name: 'Bank\u202e <ceo@bank.test>', status: 'pending' })
    const send = async () => {
      const arrived = once(post, 'mail')
      await scene.sql`select post_mail(${young.admin.email}, 'Hello', 'Hello', 'Hello', true)`
      const [head] = ((await arrived) as [string])[0].split('\r\n\r\n')
      return /^From: ([^]*?)\r\n(?! )/m.exec(head!)![1]!
    }
    assert.doesNotMatch(await send(), /bank/i)
    await scene.sql`update companies set status = 'active' where id = ${young.id}`
    const named = await send()
    assert.match(named, /<[^<>@\s]+@[^<>\s]+>$/)
    assert.equal(named.match(/</g)?.length, named.includes('=?') ? 1 : 2)
  })

  test('a security notice comes at once with all switches off, and names the company', async () => {
    const acme = await scene.company({ name: 'Secure' })
    const eva = await acme.hire('Eva')
    await eva.api.settings.change_switches({
      email_notifications: false,
      claim_updates: false,
      fund_alerts: false,
    })
    const set = async (holder: string, iban: string) => {
      const arrived = once(post, 'mail')
      await eva.api.payouts.set_my_account({ holder, iban })
      const [mail] = (await arrived) as [string]
      const mail_text = mail.replaceAll('=\r\n', '').replaceAll('=E2=80=99', '’')
      assert.ok(
        !mail_text.replaceAll(' ', '').includes(iban.replaceAll(' ', '')),
        'no whole number',
      )
      return mail_text
    }
    const iban = 'DE89 3704 0044 0532 0130 00'
    const mail = await set('Eva Eva', iban)
    assert.match(mail, /^Subject: An account for your payouts was added/m)
    assert.match(mail, /^To: eva@/m)
    assert.match(mail, /Healthfund for Secure/)
    assert.match(mail, /Payouts go to the one ending in 3000\./)
    const moved = await set('Eva Eva', 'HR1210010051863000160')
    assert.match(moved, /^Subject: The account for your payouts was changed/m)
    assert.match(
      moved,
      /Payouts go to the one ending in 0160, no longer to the one ending in 3000\./,
    )
    const named = await set('Eva Evans', 'HR1210010051863000160')
    assert.match(named, /It is still the one ending in 0160; its holder’s name was entered again\./)
  })
})
