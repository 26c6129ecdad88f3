// PostgreSQL refuses to run as root. There it runs as a user without rights, who gets one capability only if the way to the
// program or the data is closed to everybody but root.
import { execFile } from 'node:child_process'
import { readFile } from 'node:fs/promises'
import { promisify } from 'node:util'

const run = promisify(execFile)

export type SystemUser = { uid: number; gid: number }

export const isRoot = () => process.getuid?.() === 0

/** A user that exists (initdb looks its name up) and owns nothing of worth. */
export async function unprivilegedUser(): Promise<SystemUser> {
  const lines = (await readFile('/etc/passwd', 'utf8')).split('\n').map((line) => line.split(':'))
  const users = lines.map(([name, , uid, gid]) => ({ name, uid: Number(uid), gid: Number(gid) }))
  const user = users.find(({ name }) => name === 'nobody') ?? users.find(({ uid }) => uid > 0)
  if (!user) throw new Error('PostgreSQL does not run as root and /etc/passwd names no other user.')
  return user
}

/** The prefix of a command that makes it run as that user and reach these paths. */
export async function runAs({ uid, gid }: SystemUser, paths: string[]): Promise<string[]> {
  const plain = ['setpriv', `--reuid=${uid}`, `--regid=${gid}`, '--clear-groups']
  const passing = [
    ...plain,
    // Without this, access(2) would ignore the capability.
    '--securebits=+no_setuid_fixup',
    '--inh-caps=-all,+dac_override',
    '--ambient-caps=-all,+dac_override',
  ]
  const tests = paths.flatMap((path) => ['-a', '-x', path]).slice(1)
  for (const prefix of [plain, passing]) {
    const reaches = run('env', [...prefix, 'test', ...tests])
    if (await reaches.catch(() => undefined)) return prefix
  }
  throw new Error(
    'PostgreSQL does not run as root, and an unprivileged user cannot be given the way to ' +
      `${paths.join(' and ')}: run this as another user, or set DATABASE_URL.`,
  )
}
