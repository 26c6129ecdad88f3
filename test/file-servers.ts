// Servers that a company's list of employees is fetched from: a real SSH server with SFTP, a real HTTPS server.
import { once } from 'node:events'
import { readFileSync } from 'node:fs'
import type { IncomingMessage } from 'node:http'
import { createServer } from 'node:https'
import type { AddressInfo } from 'node:net'
import ssh2 from 'ssh2'

const { STATUS_CODE } = ssh2.utils.sftp

/** A new key: about one in some hundred that ssh2 makes is one that it can't read itself. */
export function newKey(): ReturnType<typeof ssh2.utils.generateKeyPairSync> {
  const made = ssh2.utils.generateKeyPairSync('ed25519')
  return ssh2.utils.parseKey(made.private) instanceof Error ? newKey() : made
}

export type Served = {
  bytes: Buffer
  /** The size it claims to have, where that is not so; after so many bytes the line breaks. */
  announced_size?: number
  breaks_after?: number
  /** The file grows while it is read. */
  grows?: boolean
}

/** One file at /out/people.csv, for `hr` with the password or the key. */
export async function openSftp(served: Served, host_key: string, known?: { public: string }) {
  const logins: string[] = []
  const server = new ssh2.Server({ hostKeys: [host_key] }, (client) => {
    client.on('error', () => {})
    client.on('authentication', (attempt) => {
      logins.push(`${attempt.method} ${attempt.username}`)
      const by_password = attempt.method === 'password' && attempt.password === 'right'
      const public_key = known && ssh2.utils.parseKey(known.public)
      const by_key =
        attempt.method === 'publickey' &&
        public_key &&
        !(public_key instanceof Error) &&
        attempt.key.data.equals(public_key.getPublicSSH())
      if (attempt.username === 'hr' && (by_password || by_key)) attempt.accept()
      else attempt.reject(['password', 'publickey'])
    })
    client.on('session', (accept) => {
      accept().on('sftp', (begin) => serve(begin(), served, () => client.end()))
    })
  })
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
  const { port } = server.address() as AddressInfo
  return {
    url: `sftp://127.0.0.1:${port}/out/people.csv`,
    logins,
    close: () => new Promise<void>((resolve) => server.close(() => resolve())),
  }
}

function serve(sftp: ssh2.SFTPWrapper, served: Served, drop: () => void) {
  const handle = Buffer.from('file')
  const isFile = (path: string) => path === '/out/people.csv'
  const about = () => ({
    mode: 0o100644,
    uid: 0,
    gid: 0,
    size: served.announced_size ?? served.bytes.length,
    atime: 0,
    mtime: 0,
  })
  const stat = (id: number, path: string) =>
    isFile(path) ? sftp.attrs(id, about()) : sftp.status(id, STATUS_CODE.NO_SUCH_FILE)
  sftp.on('STAT', stat)
  sftp.on('LSTAT', stat)
  sftp.on('FSTAT', (id) => sftp.attrs(id, about()))
  sftp.on('REALPATH', (id, path) =>
    sftp.name(id, [{ filename: path, longname: path, attrs: about() }]),
  )
  sftp.on('OPEN', (id, path) =>
    isFile(path) ? sftp.handle(id, handle) : sftp.status(id, STATUS_CODE.NO_SUCH_FILE),
  )
  sftp.on('CLOSE', (id) => sftp.status(id, STATUS_CODE.OK))
  sftp.on('READ', (id, _, offset, length) => {
    if (served.breaks_after !== undefined && offset + length > served.breaks_after) return drop()
    const part = served.bytes.subarray(offset, offset + length)
    if (served.grows) served.bytes = Buffer.concat([served.bytes, Buffer.from('\nmore')])
    return part.length > 0 ? sftp.data(id, part) : sftp.status(id, STATUS_CODE.EOF)
  })
}

const pem = readFileSync(new URL('fixtures/localhost.pem', import.meta.url), 'utf8')
/** The certificate that a client has to trust. */
export const own_certificate = pem.slice(pem.indexOf('-----BEGIN CERT'))

export async function openHttps(served: Served) {
  const requests: IncomingMessage['headers'][] = []
  const server = createServer({ key: pem, cert: pem }, (request, answer) => {
    requests.push(request.headers)
    const { authorization } = request.headers
    const known = [`Basic ${Buffer.from('hr:right').toString('base64')}`, 'Bearer right']
    if (request.url === '/moved.csv')
      return answer.writeHead(302, { location: '/people.csv' }).end()
    if (!request.url?.startsWith('/people')) return answer.writeHead(404).end()
    if (!known.includes(authorization ?? '')) return answer.writeHead(401).end()
    const { bytes, announced_size = bytes.length, breaks_after } = served
    answer.writeHead(200, { 'content-length': announced_size })
    if (breaks_after === undefined) return answer.end(bytes)
    answer.write(bytes.subarray(0, breaks_after), () => answer.destroy())
    return undefined
  })
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
  const { port } = server.address() as AddressInfo
  return {
    url: `https://127.0.0.1:${port}/people.csv`,
    requests,
    close: () => new Promise<void>((resolve) => server.close(() => resolve())),
  }
}
