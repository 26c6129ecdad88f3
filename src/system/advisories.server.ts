// Whether the packages that are installed have known faults: the registry is asked once a day.
import { readFile } from 'node:fs/promises'
import { z } from 'zod'
import type { Task } from '#lib/jobs.server.ts'
import { turned_off } from './verdict.ts'

const lock_file = new URL('../../package-lock.json', import.meta.url)
/** The packages that browsers get, written by the build. */
const built_of = new URL('../../dist/packages.json', import.meta.url)
const within_ms = 30_000
/** The library is loaded for the daily check alone. */
const library = async () => (await import('semver')).default

const Lock = z.object({
  packages: z.record(
    z.string(),
    z.looseObject({
      version: z.string().optional(),
      dev: z.boolean().optional(),
      devOptional: z.boolean().optional(),
    }),
  ),
})
const ShippedVersions = z.record(z.string(), z.string())
const AuditAnswer = z.record(
  z.string(),
  z.array(
    z.looseObject({
      id: z.union([z.number(), z.string()]),
      title: z.string(),
      severity: z.string(),
      url: z.string().optional(),
      vulnerable_versions: z.string(),
    }),
  ),
)

type Installed = Record<string, string[]>
type Advisory = {
  package: string
  version: string
  title: string
  severity: string
  url: string | null
}

/** The packages that run here or in browsers: those only for development stay out. */
export async function installedPackages(
  file: URL | string = lock_file,
  built: URL | string = built_of,
): Promise<Installed> {
  const { packages } = Lock.parse(JSON.parse(await readFile(file, 'utf8')))
  const found: Installed = {}
  for (const [place, { version, dev, devOptional }] of Object.entries(packages)) {
    const name = place.split('node_modules/').at(-1)
    if (!name || !version || dev || devOptional) continue
    found[name] = [...new Set([...(found[name] ?? []), version])]
  }
  const shown = await readFile(built, 'utf8').catch(() => '{}')
  for (const [name, version] of Object.entries(ShippedVersions.parse(JSON.parse(shown))))
    found[name] = [...new Set([...(found[name] ?? []), version])]
  return found
}

export async function askRegistry(registry: string, packages: Installed): Promise<Advisory[]> {
  const answer = await fetch(new URL('-/npm/v1/security/advisories/bulk', slashed(registry)), {
    method: 'POST',
    headers: { 'content-type': 'application/json', accept: 'application/json' },
    body: JSON.stringify(packages),
    signal: AbortSignal.timeout(within_ms),
  })
  if (!answer.ok) throw new Error(`the registry answered ${answer.status}`)
  const advisories = AuditAnswer.parse(await answer.json())
  const semver = await library()
  return Object.entries(advisories).flatMap(([name, faults]) =>
    faults.flatMap(({ title, severity, url, vulnerable_versions }) =>
      (packages[name] ?? [])
        .filter((version) => semver.satisfies(version, vulnerable_versions))
        .map((version) => ({ package: name, version, title, severity, url: url ?? null })),
    ),
  )
}

const slashed = (address: string) => (address.endsWith('/') ? address : `${address}/`)

/** Keeps what the registry found, or that it did not answer: a silent registry is no failure of ours. */
export const checkAdvisories =
  (registry: string | undefined): Task =>
  async (_, { sql, log }) => {
    if (!registry) {
      await sql`update private.advisory_check set tried_at = now(), fault = ${turned_off}`
      return
    }
    try {
      const packages = await installedPackages()
      const findings = await askRegistry(registry, packages)
      await sql`
        update private.advisory_check set tried_at = now(), checked_at = now(), fault = null,
          packages = ${Object.keys(packages).length}, findings = ${sql.json(findings)}`
    } catch (error) {
      log.info({ reason: (error as Error).message }, 'the registry did not tell of advisories')
      await sql`update private.advisory_check set tried_at = now(), fault = 'the registry does not answer'`
    }
    await sql`select private.publish_now('supers')`
  }
