// No request goes where it should not: looked at when it connects, whatever a name led to before.
import assert from 'node:assert/strict'
import type { ServerResponse } from 'node:http'
import { after, before, describe, test } from 'node:test'
import { openReceiver } from '../../../test/webhook-receiver.ts'
import { until } from '../../../test/until.ts'
import { readConfig } from '#lib/config.server.ts'
import { allowListOf, isPublic, type Resolve } from '#lib/addresses.server.ts'
import { postDelivery } from './post.server.ts'

const never = {
  'this machine': ['127.0.0.1', '127.8.9.10', '::1', '0.0.0.0', '0.1.2.3', '::'],
  'private networks': [
    '10.0.0.1',
    '172.16.0.1',
    '172.31.255.255',
    '192.168.1.1',
    'fc00::1',
    'fd12::1',
  ],
  'link-local': ['169.254.1.1', 'fe80::1', 'fe80::1%eth0'],
  'carriers’ NAT': ['100.64.0.1', '100.127.255.255'],
  'clouds’ metadata': ['169.254.169.254', 'fd00:ec2::254', '100.100.100.200', '168.63.129.16'],
  'multicast and broadcast': ['224.0.0.1', '239.255.255.255', '255.255.255.255', 'ff02::1'],
  'IPv4 in IPv6': [
    '::ffff:127.0.0.1',
    '::ffff:7f00:1',
    '::ffff:a00:1',
    '::127.0.0.1',
    '::ffff:0:7f00:1',
  ],
  'NAT64, 6to4 and Teredo': [
    '64:ff9b::7f00:1',
    '64:ff9b::10.0.0.1',
    '64:ff9b:1::a00:1',
    '2002:7f00:1::',
    '2001:0:7f00:1::1',
  ],
  'reserved and examples': [
    '192.0.2.1',
    '198.51.100.1',
    '203.0.113.9',
    '198.18.0.1',
    '240.0.0.1',
    '2001:db8::1',
    '3fff::1',
    '100::1',
  ],
  'no address at all': ['', 'localhost', '2130706433', '0x7f000001', '127.1'],
}
for (const [what, addresses] of Object.entries(never)) {
  test(`${what}: ${addresses.join(' ')}`, () => {
    assert.deepEqual(addresses.filter(isPublic), [])
  })
}

test('public ones are: 93.184.215.14 8.8.8.8 172.32.0.1 2606:4700::1 64:ff9b::808:808', () => {
  const open = ['93.184.215.14', '8.8.8.8', '172.32.0.1', '2606:4700::1', '64:ff9b::808:808']
  assert.deepEqual(open.filter(isPublic), open)
})

describe('one try', () => {
  let receiver: Awaited<ReturnType<typeof openReceiver>>
  before(async () => {
    receiver = await openReceiver()
  })
  after(() => receiver.close())
  const ending = new AbortController().signal
  const port = () => new URL(receiver.url).port
  const trying = (url: string, allow: string[], resolve?: Resolve, more = {}) => {
    const sent = { headers: {}, body: '{}', allowed: allowListOf(allow), ending, resolve, ...more }
    return postDelivery({ url, ...sent })
  }
  const faultOf = async (...args: Parameters<typeof trying>) => {
    const before = receiver.received.length
    const outcome = await trying(...args)
    assert.equal(receiver.received.length, before, 'nothing came')
    return outcome?.fault
  }

  test('an address that is spelled out, in whatever way, is refused; so is http', async () => {
    for (const host of ['127.0.0.1', '2130706433', '0x7f.1', '0177.0.0.1', '[::ffff:127.0.0.1]'])
      assert.equal(await faultOf(`https://${host}:${port()}/`, []), 'address', host)
    assert.equal(
      await faultOf(`http://hooks.test:${port()}/`, [], async () => ['8.8.8.8']),
      'address',
    )
  })

  test('a name that leads to this machine is refused, also beside a public address', async () => {
    for (const addresses of [['127.0.0.1'], ['::1'], ['8.8.8.8', '10.0.0.1'], ['64:ff9b::7f00:1']])
      assert.equal(
        await faultOf(`https://hooks.test:${port()}/`, [], async () => addresses),
        'address',
        addresses.join(),
      )
    assert.equal(await faultOf(`https://hooks.test:${port()}/`, [], async () => []), 'name')
  })

  test('a name that led elsewhere a moment ago is asked again, once, and that answer is connected to', async () => {
    const answers = [['127.0.0.1'], ['10.0.0.1']]
    let lookups = 0
    const rebinding: Resolve = async () => answers[lookups++] ?? ['127.0.0.1']
    const url = `http://hooks.test:${port()}/`
    // Allowed by its addresses: the first answer is allowed, the second is not.
    const allowed = ['127.0.0.0/8', 'hooks.test:80']
    assert.equal(await faultOf(url.replace('http:', 'https:'), allowed, rebinding), 'certificate')
    assert.equal(lookups, 1)
    assert.equal(await faultOf(url.replace('http:', 'https:'), allowed, rebinding), 'address')
    assert.equal(lookups, 2)
  })

  test('a redirect is told as that, and not followed', async () => {
    receiver.answer((_, answer) =>
      answer.writeHead(302, { location: `${receiver.url}/inside` }).end(),
    )
    const outcome = await trying(receiver.url, ['127.0.0.1'])
    assert.deepEqual([outcome?.code, outcome?.fault], [302, 'redirect'])
    assert.ok(!receiver.received.some(({ path }) => path === '/inside'))
  })

  test('who does not answer in time, sends without end or answers with a book is cut off', async () => {
    receiver.answer(() => {})
    const late = await trying(receiver.url, ['127.0.0.1'], undefined, { within_ms: 50 })
    assert.deepEqual([late?.code, late?.fault], [null, 'time'])
    const endless = (answer: ServerResponse) => {
      if (!answer.destroyed) answer.write('a'.repeat(100), () => endless(answer))
    }
    receiver.answer((_, answer) => endless(answer))
    const cut = await trying(receiver.url, ['127.0.0.1'])
    assert.deepEqual([cut?.code, cut?.fault, cut?.answer], [200, null, 'a'.repeat(300)])
    receiver.answer((_, answer) => answer.writeHead(200).end(`\0<b>é</b>\n${'x'.repeat(1e6)}`))
    const book = await trying(receiver.url, ['127.0.0.1'])
    assert.equal(book?.fault, null)
    assert.equal(book?.answer?.length, 300)
    assert.match(book?.answer ?? '', /^<b>é<\/b> xxx/)
  })

  test('who answers by another protocol is a try that failed, and holds nobody up', async () => {
    receiver.answer((_, answer) => {
      answer.writeHead(101, { connection: 'Upgrade', upgrade: 'else' }).flushHeaders()
    })
    const outcome = await trying(receiver.url, ['127.0.0.1'])
    assert.deepEqual([outcome?.code, outcome?.fault], [null, 'connection'])
  })

  test('what the worker’s end breaks off is no try', async () => {
    receiver.answer(() => {})
    const stopping = new AbortController()
    const trial = trying(receiver.url, ['127.0.0.1'], undefined, { ending: stopping.signal })
    const before = receiver.received.length
    await until(() => receiver.received.length > before)
    stopping.abort()
    assert.equal(await trial, undefined)
  })

  test('the operator allows hosts, addresses and ranges, and nothing that is neither', async () => {
    receiver.answer(200)
    for (const allow of [['127.0.0.1'], ['127.0.0.0/8'], ['10.0.0.0/8', '127.0.0.1/32']])
      assert.equal((await trying(receiver.url, allow))?.code, 200, allow.join())
    const named = receiver.url.replace('127.0.0.1', 'localhost')
    assert.equal((await trying(named, ['localhost']))?.code, 200)
    assert.equal(
      await faultOf(named, ['127.0.0.1']),
      'address',
      'http by a name that is not allowed',
    )
    const { WEBHOOK_ALLOW } = readConfig({ WEBHOOK_ALLOW: 'erp.internal, 10.2.0.0/16,fd00::/8' })
    assert.deepEqual(WEBHOOK_ALLOW, ['erp.internal', '10.2.0.0/16', 'fd00::/8'])
    for (const bad of ['10.0.0.0/33', '10.0.0.0/x', 'https://erp.internal', 'a b', '1.2.3.4/8/9'])
      assert.throws(() => readConfig({ WEBHOOK_ALLOW: bad }), /WEBHOOK_ALLOW/, bad)
  })
})
