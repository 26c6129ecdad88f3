// The programs that a cluster needs from Debian, and the user it runs as.
import { constants, globSync } from 'node:fs'
import { access, chown } from 'node:fs/promises'
import path from 'node:path'
import { isRoot, runAs, unprivilegedUser } from '#lib/unprivileged.server.ts'

const packages = 'etcd-server, patroni, haproxy and postgresql'
const kept_in = [...(process.env.PATH ?? '').split(path.delimiter), '/usr/sbin', '/usr/bin']
const versions = '/usr/lib/postgresql/*/bin/pg_rewind'
const oldest = 15

export type ClusterPrograms = Record<
  'etcd' | 'patroni' | 'patronictl' | 'haproxy' | 'postgresql',
  string
>

/** The place of each program; or, in a sentence, which are missing. */
export async function findPrograms(): Promise<ClusterPrograms | string> {
  const names = ['etcd', 'patroni', 'patronictl', 'haproxy'] as const
  const found = await Promise.all(
    names.map(async (name) => [name, await placeOf(name)] as [string, string | undefined]),
  )
  const missing = found.filter(([, place]) => !place).map(([name]) => name)
  const postgresql = newestPostgreSQL()
  if (!postgresql) missing.push(`a PostgreSQL ${oldest} or newer`)
  if (missing.length > 0)
    return `${missing.join(', ')} cannot be found: a cluster needs ${packages} of Debian.`
  return { ...Object.fromEntries(found), postgresql } as ClusterPrograms
}

async function placeOf(name: string): Promise<string | undefined> {
  for (const folder of kept_in) {
    const place = path.join(folder, name)
    const runs = await access(place, constants.X_OK).then(
      () => true,
      () => false,
    )
    if (runs) return place
  }
  return undefined
}

function newestPostgreSQL(): string | undefined {
  const majorOf = (folder: string) => Number(/(\d+)\/bin$/.exec(folder)?.[1])
  return globSync(versions)
    .map((program) => path.dirname(program))
    .filter((folder) => majorOf(folder) >= oldest)
    .toSorted((a, b) => majorOf(b) - majorOf(a))[0]
}

/**
 * Arguments of env(1) that run a program as another user: PostgreSQL refuses root, so nothing of a cluster runs as root. The
 * folders become that user's.
 */
export async function unprivilegedCommand(
  programs: ClusterPrograms,
  folders: string[],
): Promise<string[]> {
  if (!isRoot()) return []
  const user = await unprivilegedUser()
  for (const folder of folders) await chown(folder, user.uid, user.gid)
  return runAs(user, [programs.postgresql, ...folders])
}
