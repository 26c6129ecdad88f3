// Builds the screens when their sources have changed, and only then.
import { spawn } from 'node:child_process'
import { createHash } from 'node:crypto'
import { once } from 'node:events'
import { existsSync } from 'node:fs'
import { readdir, readFile, readlink, rm, symlink, writeFile } from 'node:fs/promises'
import path from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { isAlive } from './processes.server.ts'
import { stages } from './progress.mjs'

const patience_ms = 120_000

export async function buildIfStale(root: string): Promise<void> {
  // An image has the built screens without their sources.
  if (!existsSync(path.join(root, 'vite.config.ts')) || (await isFresh(root))) return
  const progress = stages()
  progress.now('Building the screens')
  try {
    const unlock = await waitForLock(path.join(root, 'node_modules/.building'))
    try {
      if (!(await isFresh(root))) await build(root)
    } finally {
      await unlock()
    }
  } finally {
    progress.done()
  }
}

const stampIn = (root: string) => path.join(root, 'dist/.built')

async function isFresh(root: string): Promise<boolean> {
  const made_of = await readFile(stampIn(root), 'utf8').catch(() => '')
  return made_of !== '' && made_of === (await fingerprint(root))
}

/** A process of its own: the tools of building would stay in the server's memory for ever. */
async function build(root: string) {
  const made_of = await fingerprint(root)
  const vite = path.join(root, 'node_modules/vite/bin/vite.js')
  if (!existsSync(vite)) throw new Error(left_out)
  const child = spawn(process.execPath, [vite, 'build', '--logLevel', 'warn'], {
    cwd: root,
    env: { ...process.env, NODE_ENV: 'production' },
    stdio: ['ignore', 'inherit', 'inherit'],
  })
  const [code] = (await once(child, 'exit')) as [number | null]
  if (code !== 0) throw new Error('The screens could not be built: the reason is above.')
  await writeFile(stampIn(root), made_of)
}

async function fingerprint(root: string): Promise<string> {
  const hash = createHash('sha256')
  for (const name of await sources(root)) {
    hash
      .update(`${name}\0`)
      .update(await readFile(path.join(root, name)))
      .update('\0')
  }
  return hash.digest('hex')
}

async function sources(root: string): Promise<string[]> {
  const pages = (await readdir(root)).filter((name) => name.endsWith('.html'))
  const inside = await Promise.all(['src', 'public'].map((name) => filesOf(root, name)))
  const ours = inside.flat().filter((name) => !/\.(server|test)\.tsx?$/.test(name))
  return [...ours, ...pages, 'package-lock.json', 'vite.config.ts'].sort()
}

async function filesOf(root: string, name: string): Promise<string[]> {
  const options = { recursive: true, withFileTypes: true } as const
  const entries = await readdir(path.join(root, name), options)
  const files = entries.filter((entry) => entry.isFile())
  return files.map((entry) => path.relative(root, path.join(entry.parentPath, entry.name)))
}

/** One of several servers that start together builds, and the others wait for it. */
async function waitForLock(lock: string): Promise<() => Promise<void>> {
  const deadline = Date.now() + patience_ms
  for (;;) {
    try {
      // A link appears with its content at once; a new file is empty for a moment.
      await symlink(String(process.pid), lock)
      return () => rm(lock, { force: true })
    } catch (error) {
      const { code = '', message } = error as NodeJS.ErrnoException
      if (['EACCES', 'EPERM', 'EROFS'].includes(code)) throw unableToBuild(message)
      if (code !== 'EEXIST') throw error
      const holder = Number(await readlink(lock).catch(() => ''))
      const builds = holder !== process.pid && isAlive(holder)
      if (builds && Date.now() < deadline) await sleep(50)
      else await rm(lock, { force: true })
    }
  }
}

const left_out =
  'The screens are stale, and the packages that build them were left out of this installation: ' +
  'run `npm run build`, which installs them.'

const unableToBuild = (reason: string) =>
  new Error(
    `The screens are stale, and this user may not build them here (${reason}): ` +
      'let the owner of this folder run `npm run build` first.',
  )
