// A real Chromium for the tests: the one named by CHROMIUM_PATH, or the one inside an npm package,
// which needs nothing installed on the machine.
import { execFile } from 'node:child_process'
import { existsSync } from 'node:fs'
import { mkdir, mkdtemp, readFile, rename, rm, writeFile } from 'node:fs/promises'
import path from 'node:path'
import { promisify } from 'node:util'
import { chromium, type Browser, type LaunchOptions } from 'playwright-core'
import { memoryIsPlenty } from './test-folder.ts'

const root = path.resolve(import.meta.dirname, '..')

export const openBrowser = async (): Promise<Browser> => chromium.launch(await launchOptions())

/** How it is started, for whoever starts it in their own way. Where no language is set it would name files `download`. */
export async function launchOptions(): Promise<LaunchOptions> {
  const { env = process.env, ...started } = await executable()
  return {
    ...started,
    env: { ...env, LC_ALL: 'C.UTF-8' },
    ignoreDefaultArgs: memoryIsPlenty() ? ['--disable-dev-shm-usage'] : [],
    args: [
      '--no-sandbox',
      '--disable-gpu',
      '--disable-quic',
      '--no-first-run',
      '--disable-background-networking',
      '--disable-component-update',
      '--disable-sync',
      // A page of a test is gone before it pays off what V8 spends on compiling its code better.
      '--js-flags=--no-opt --no-maglev',
    ],
  }
}

async function executable(): Promise<LaunchOptions> {
  const installed = process.env.CHROMIUM_PATH
  if (installed) return { executablePath: installed }
  if (process.platform !== 'linux' || process.arch !== 'x64') return { channel: 'chrome' }
  const folder = await unpacked()
  return {
    executablePath: path.join(folder, 'chromium'),
    env: {
      ...process.env,
      LD_LIBRARY_PATH: path.join(folder, 'al2023/lib'),
      FONTCONFIG_FILE: path.join(folder, 'fonts.conf'),
    },
  }
}

/** The browser is unpacked once for all runs; if several test files unpack at the same moment, one copy is kept. */
async function unpacked(): Promise<string> {
  const shipped = path.join(root, 'node_modules/@sparticuz/chromium/package.json')
  const { version } = JSON.parse(await readFile(shipped, 'utf8')) as { version: string }
  const folder = path.join(root, `.data/chromium-${version}`)
  if (existsSync(folder)) return folder
  await mkdir(path.dirname(folder), { recursive: true, mode: 0o711 })
  const draft = await mkdtemp(`${folder}.new-`)
  try {
    await unpack(draft)
    await rename(draft, folder)
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== 'ENOTEMPTY') throw error
  } finally {
    await rm(draft, { recursive: true, force: true })
  }
  return folder
}

async function unpack(folder: string) {
  // The package unpacks into the temporary folder, its libraries only where it believes to be on
  // AWS: a process of its own is told both.
  const code = `await (await import('@sparticuz/chromium')).default.executablePath()`
  await promisify(execFile)(process.execPath, ['--input-type=module', '--eval', code], {
    cwd: root,
    env: { ...process.env, TMPDIR: folder, AWS_EXECUTION_ENV: 'AWS_Lambda_nodejs24.x' },
  })
  const fonts = `<?xml version="1.0"?><!DOCTYPE fontconfig SYSTEM "fonts.dtd"><fontconfig>
    <dir prefix="relative">fonts</dir><cachedir prefix="relative">fonts-cache</cachedir>
  </fontconfig>`
  await writeFile(path.join(folder, 'fonts.conf'), fonts)
}
