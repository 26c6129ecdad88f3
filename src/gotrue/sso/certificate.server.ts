// A key and a certificate of our own for SAML: requests are signed with it, and assertions may be encrypted to it. The
// certificate is a wrapping for the key, which nobody trusts by any chain.
import { createSign, generateKeyPair, randomBytes } from 'node:crypto'
import { promisify } from 'node:util'

const der = (tag: number, ...parts: Uint8Array[]): Buffer => {
  const body = Buffer.concat(parts)
  const size = body.length.toString(16)
  const long = Buffer.from(size.padStart(size.length + (size.length % 2), '0'), 'hex')
  const length = body.length < 128 ? [body.length] : [0x80 + long.length, ...long]
  return Buffer.concat([Buffer.from([tag, ...length]), body])
}
const sequence = (...parts: Uint8Array[]) => der(0x30, ...parts)
const bits = (bytes: Uint8Array) => der(0x03, Buffer.of(0), bytes)
const utcTime = (text: string) => der(0x17, Buffer.from(text))
const sha256_with_rsa = Buffer.from('300d06092a864886f70d01010b0500', 'hex')
const common_name = Buffer.from('0603550403', 'hex')

const makeKeys = promisify(generateKeyPair)

export async function newCertificate(name: string) {
  const { privateKey, publicKey } = await makeKeys('rsa', { modulusLength: 2048 })
  const named = sequence(der(0x31, sequence(common_name, der(0x0c, Buffer.from(name)))))
  const content = sequence(
    der(0xa0, der(0x02, Buffer.of(2))),
    der(0x02, Buffer.concat([Buffer.of(1), randomBytes(15)])),
    sha256_with_rsa,
    named,
    sequence(utcTime('250101000000Z'), utcTime('491231235959Z')),
    named,
    publicKey.export({ type: 'spki', format: 'der' }),
  )
  const signature = createSign('sha256').update(content).sign(privateKey)
  const whole = sequence(content, sha256_with_rsa, bits(signature)).toString('base64')
  const lines = whole.match(/.{1,64}/g) ?? []
  return {
    private_key: privateKey.export({ type: 'pkcs8', format: 'pem' }).toString(),
    certificate: `-----BEGIN CERTIFICATE-----\n${lines.join('\n')}\n-----END CERTIFICATE-----\n`,
  }
}
