// A command as npm runs it, with nothing set but what is given.
import { execFile } from 'node:child_process'
import { root } from './server-process.ts'

export type Ended = { code: number; out: string; fault: string }

export function runCommand(words: string[], own_env: Record<string, string>): Promise<Ended> {
  const { DATABASE_URL: _, NODE_TEST_CONTEXT: __, ...rest } = process.env
  const env = { ...rest, LOG_LEVEL: 'fatal', ADVISORY_REGISTRY: 'off', ...own_env }
  return new Promise((resolve) => {
    const child = execFile(
      process.execPath,
      ['run.mjs', ...words],
      { cwd: root, env },
      (error, out, fault) =>
        resolve({ code: error ? Number(error.code) : 0, out: out.trim(), fault: fault.trim() }),
    )
    child.stdin?.end()
  })
}
