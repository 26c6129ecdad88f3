// Encryption of stored values: AES-256-GCM, bound to the place that a value was encrypted for.
import { createCipheriv, createDecipheriv, randomBytes } from 'node:crypto'

/** `bound_to` is part of the seal: what was encrypted for one place cannot be put into another. */
export function encrypt(key: Buffer, plain: Uint8Array | string, bound_to: string): Buffer {
  const nonce = randomBytes(12)
  const cipher = createCipheriv('aes-256-gcm', key, nonce).setAAD(Buffer.from(bound_to))
  const content = Buffer.concat([cipher.update(plain), cipher.final()])
  return Buffer.concat([nonce, cipher.getAuthTag(), content])
}

export function decrypt(key: Buffer, sealed: Uint8Array, bound_to: string): Buffer<ArrayBuffer> {
  const bytes = Buffer.from(sealed.buffer, sealed.byteOffset, sealed.byteLength)
  const decipher = createDecipheriv('aes-256-gcm', key, bytes.subarray(0, 12), {
    authTagLength: 16,
  })
  decipher.setAAD(Buffer.from(bound_to)).setAuthTag(bytes.subarray(12, 28))
  return Buffer.concat([decipher.update(bytes.subarray(28)), decipher.final()])
}
