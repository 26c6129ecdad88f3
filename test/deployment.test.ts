// The units for systemd and the manifests for Kubernetes: what they start is there, what they set is known.
import assert from 'node:assert/strict'
import { execFileSync } from 'node:child_process'
import { existsSync } from 'node:fs'
import { readdir, readFile } from 'node:fs/promises'
import { createRequire } from 'node:module'
import path from 'node:path'
import { describe, test } from 'node:test'
import { commands } from '../src/commands/commands.mjs'
import { env_vars } from '#lib/config.server.ts'
import { root } from './server-process.ts'

type Yaml = { loadAll: (text: string) => unknown[] }
const { loadAll } = createRequire(import.meta.url)('js-yaml') as Yaml

/** Runs a tool of the operator's, where it is installed. */
function tool(program: string, words: string[]): string | undefined {
  try {
    return String(execFileSync(program, words, { cwd: root, stdio: 'pipe' }))
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ENOENT') return undefined
    throw error
  }
}

/** `node run.mjs backup`, `node src/main.server.ts`: what stands behind it is here. */
function assertStarts(words: string[]) {
  const program = words.find((word) => !word.startsWith('-') && !word.endsWith('node')) ?? ''
  assert.ok(existsSync(path.join(root, program)), words.join(' '))
  if (program !== 'run.mjs') return
  const [name = '', ...flags] = words.slice(words.indexOf('run.mjs') + 1)
  assert.ok(name in commands, name)
  for (const flag of flags) assert.ok(flag.slice(2) in (commands[name]?.flags ?? {}), flag)
}
const assertSetting = (name: string) =>
  assert.ok(name in env_vars || name === 'NODE_ENV', `${name} is no setting`)

describe('systemd', () => {
  const folder = path.join(root, 'ops/systemd')
  const read = async (name: string) => {
    const lines = (await readFile(path.join(folder, name), 'utf8')).split('\n')
    const found: Record<string, Record<string, string>> = {}
    let section = ''
    for (const line of lines.filter((one) => one && !one.startsWith('#'))) {
      const [, head] = /^\[(\w+)\]$/.exec(line) ?? []
      section = head ?? section
      const pairs = (found[section] ??= {})
      if (head) continue
      const [key = '', value] = line.split(/=(.*)/)
      assert.match(key, /^[A-Z]\w+$/, `${name}: ${line}`)
      assert.ok(value !== undefined && section, `${name}: ${line}`)
      pairs[key] = value
    }
    return found
  }

  test('each unit starts what is there, as nobody special, with settings that are known', async () => {
    const units = (await readdir(folder)).filter((name) => name.endsWith('.service'))
    assert.equal(units.length, 3)
    for (const name of units) {
      const { Unit, Service } = await read(name)
      assert.match(Unit?.Description ?? '', /^Healthfund /)
      assert.deepEqual(
        [Service?.User, Service?.NoNewPrivileges, Service?.ProtectSystem],
        ['healthfund', 'yes', 'strict'],
      )
      assertStarts((Service?.ExecStart ?? '').split(' '))
      for (const pair of Service?.Environment?.split(' ') ?? []) assertSetting(pair.split('=')[0]!)
    }
    const timer = await read('healthfund-backup.timer')
    assert.match(timer.Timer?.OnCalendar ?? '', /UTC$/)
  })

  test('systemd itself finds nothing, where it is installed', (t) => {
    const units = ['healthfund@.service', 'healthfund-worker.service', 'healthfund-backup.timer']
    const output = tool('systemd-analyze', [
      'verify',
      ...units.map((name) => `ops/systemd/${name}`),
    ])
    if (output === undefined) t.diagnostic('systemd is not installed here')
    else assert.equal(output, '')
  })
})

type Probe = { httpGet: { path: string; port: string } }
type Container = {
  name: string
  image: string
  command: string[]
  envFrom: { configMapRef?: { name: string }; secretRef?: { name: string } }[]
  ports?: { name: string; containerPort: number }[]
  resources: { requests: Record<string, string>; limits: Record<string, string> }
  securityContext: Record<string, unknown>
  volumeMounts: { name: string; mountPath: string }[]
} & Partial<Record<'startupProbe' | 'readinessProbe' | 'livenessProbe', Probe>>
type Pod = {
  containers: Container[]
  volumes: { name: string }[]
  securityContext: Record<string, unknown>
  restartPolicy?: string
}
type Template = { metadata: { labels: Record<string, string> }; spec: Pod }
type Thing = {
  apiVersion: string
  kind: string
  metadata: { name: string }
  spec: {
    template?: Template
    jobTemplate?: { spec: { template: Template } }
    selector?: Record<string, unknown> & { matchLabels?: Record<string, string> }
    schedule?: string
    ports?: { targetPort: string }[]
  }
}

/** The versions of the reference of Kubernetes 1.29 and later. */
const versions: Record<string, string> = {
  Namespace: 'v1',
  Service: 'v1',
  Deployment: 'apps/v1',
  Job: 'batch/v1',
  CronJob: 'batch/v1',
  PodDisruptionBudget: 'policy/v1',
}

describe('Kubernetes', () => {
  const folder = path.join(root, 'ops/kubernetes')
  const things = async (name: string) =>
    loadAll(await readFile(path.join(folder, name), 'utf8')) as Thing[]
  type Settings = {
    resources: string[]
    configMapGenerator: { name: string; literals: string[] }[]
  }
  const kustomization = async () => (await things('kustomization.yaml'))[0] as unknown as Settings
  const all = async () => (await Promise.all((await kustomization()).resources.map(things))).flat()
  const templateOf = ({ spec }: Thing) => spec?.template ?? spec?.jobTemplate?.spec.template

  test('servers, workers, migration and backups are there, in versions that Kubernetes knows', async () => {
    const found = await all()
    for (const { kind, apiVersion } of found) assert.equal(apiVersion, versions[kind], kind)
    assert.deepEqual(found.map(({ kind, metadata }) => `${kind} ${metadata.name}`).toSorted(), [
      'CronJob healthfund-backup',
      'CronJob healthfund-drill',
      'Deployment healthfund-server',
      'Deployment healthfund-worker',
      'Job healthfund-migrate',
      'Namespace healthfund',
      'PodDisruptionBudget healthfund-server',
      'Service healthfund',
    ])
    const files = (await readdir(folder)).filter((name) => name !== 'kustomization.yaml')
    assert.deepEqual((await kustomization()).resources.toSorted(), files.toSorted())
  })

  test('every container starts what is there, within limits, without root, on a read-only disk', async () => {
    for (const thing of await all()) {
      const template = templateOf(thing)
      if (!template) continue
      const { containers, volumes, securityContext, restartPolicy } = template.spec
      assert.deepEqual(
        [securityContext.runAsNonRoot, securityContext.seccompProfile],
        [true, { type: 'RuntimeDefault' }],
      )
      assert.equal(restartPolicy, thing.kind === 'Deployment' ? undefined : 'Never')
      for (const one of containers) {
        assert.equal(one.image, 'healthfund')
        assertStarts(one.command)
        assert.ok(one.resources.requests.cpu && one.resources.requests.memory, one.name)
        assert.ok(one.resources.limits.memory, one.name)
        assert.deepEqual(one.securityContext, {
          allowPrivilegeEscalation: false,
          readOnlyRootFilesystem: true,
          capabilities: { drop: ['ALL'] },
        })
        assert.deepEqual(
          one.volumeMounts.map(({ name }) => name),
          volumes.map(({ name }) => name),
        )
      }
    }
  })

  test('what selects finds its pods, and what probes asks what answers', async () => {
    const found = await all()
    const server = found.find(({ metadata }) => metadata.name === 'healthfund-server')
    const labels = server?.spec.template?.metadata.labels
    for (const { kind, spec } of found) {
      const selector = spec?.selector?.matchLabels ?? spec?.selector
      if (selector && kind !== 'Deployment') assert.deepEqual(selector, labels)
      if (kind === 'Deployment') assert.deepEqual(selector, spec.template?.metadata.labels)
    }
    const [container] = server?.spec.template?.spec.containers ?? []
    const paths = (['startupProbe', 'readinessProbe', 'livenessProbe'] as const).map((probe) => {
      assert.equal(container?.[probe]?.httpGet.port, container?.ports?.[0]?.name)
      return container?.[probe]?.httpGet.path
    })
    assert.deepEqual(paths, ['/healthz', '/readyz', '/healthz'])
    const service = found.find(({ kind }) => kind === 'Service')
    assert.equal(service?.spec.ports?.[0]?.targetPort, container?.ports?.[0]?.name)
  })

  test('sets only settings that are known, and no secret', async () => {
    const [map] = (await kustomization()).configMapGenerator
    const names = map!.literals.map((line) => line.split('=')[0]!)
    for (const name of names) {
      assertSetting(name)
      assert.doesNotMatch(name, /KEY|SECRET|PASSWORD|DATABASE_URL|SMTP_URL|TOKEN/)
    }
    const text = await readFile(path.join(folder, 'kustomization.yaml'), 'utf8')
    const secret = text.slice(text.indexOf('# with DATABASE_URL'))
    for (const [name] of secret.matchAll(/\b[A-Z][A-Z0-9]*_[A-Z0-9_]+\b/g)) assertSetting(name)
  })

  test('kubectl builds them into one, where it is installed', (t) => {
    const output = tool('kubectl', ['kustomize', 'ops/kubernetes'])
    if (output === undefined) return t.diagnostic('kubectl is not installed here')
    const built = loadAll(output) as Thing[]
    assert.equal(built.filter(({ kind }) => kind === 'ConfigMap').length, 1)
    assert.doesNotMatch(output, /image: healthfund$/m)
    return undefined
  })
})
