// An installation without development packages: all that a server needs, and not much more.
import assert from 'node:assert/strict'
import { existsSync, globSync, lstatSync, readdirSync, readFileSync } from 'node:fs'
import path from 'node:path'
import { test } from 'node:test'
import { root } from './server-process.ts'

const megabyte = 1024 * 1024
type Listed = Record<string, { dev?: boolean; devOptional?: boolean }>

const readJson = (name: string) => JSON.parse(readFileSync(path.join(root, name), 'utf8'))

/** The size as `du` counts it, without packages within, which count for themselves. */
function sizeOf(folder: string): number {
  let size = 0
  for (const entry of readdirSync(folder, { withFileTypes: true })) {
    const name = path.join(folder, entry.name)
    if (!entry.isDirectory()) size += lstatSync(name).blocks * 512
    else if (entry.name !== 'node_modules') size += sizeOf(name)
  }
  return size
}

test('it takes at most 400 MB of disk', () => {
  const packages: Listed = readJson('package-lock.json').packages
  const sizes = Object.entries(packages)
    .filter(([name, { dev, devOptional }]) => name !== '' && !dev && !devOptional)
    .map(([name]) => name)
    .filter((name) => existsSync(path.join(root, name))) // not those for other machines
    .map((name) => [sizeOf(path.join(root, name)) / megabyte, name] as const)
    .toSorted(([one], [other]) => other - one)
  const whole = sizes.reduce((sum, [size]) => sum + size, 0)
  const largest = sizes.slice(0, 8).map(([size, name]) => `${Math.round(size)} MB ${name}`)
  assert.ok(whole > 100, 'the packages are counted')
  assert.ok(whole <= 400, `${Math.round(whole)} MB: ${largest.join(', ')}`)
})

/** Imports of values, by whatever form; types are gone when it runs. */
const imports =
  /(?:^|\n)(?:import|export)\b(?! type\b)[^'";]*?from '([^']+)'|\bimport\('([^']+)'\)/g
/** Used under `npm run dev` alone. */
const for_development = ['vite']

test('it has each package that a server imports', () => {
  const { dependencies } = readJson('package.json') as { dependencies: Record<string, string> }
  const files = ['src/**/*.server.ts', 'src/**/*.mjs', 'demo/world.ts', 'run.mjs']
  const open = files.flatMap((pattern) => globSync(pattern, { cwd: root }))
  const files_read = new Set(open)
  const missing: string[] = []
  for (const file of open) {
    for (const [, still, late] of readFileSync(path.join(root, file), 'utf8').matchAll(imports)) {
      const specifier = still ?? late ?? ''
      const ours = specifier.startsWith('#')
        ? path.join('src', specifier.slice(1))
        : specifier.startsWith('.') && path.join(path.dirname(file), specifier)
      const name = /^(?:@[^/]+\/)?[^/]+/.exec(specifier)?.[0] ?? ''
      if (ours && !files_read.has(ours) && /\.(ts|mjs)$/.test(ours)) open.push(ours)
      if (ours) files_read.add(ours)
      else if (
        !specifier.startsWith('node:') &&
        !dependencies[name] &&
        !for_development.includes(name)
      )
        missing.push(`${name} in ${file}`)
    }
  }
  assert.ok(open.length > 300, `${open.length} files were read`)
  assert.deepEqual(missing, [])
})
