// `npm run check`: types, lint, format, words and the fences, side by side; each says nothing unless it
// finds something. `--write` renews first what is generated.
import { spawn } from 'node:child_process'
import path from 'node:path'

const root = path.resolve(import.meta.dirname, '..')
const bin = path.join(root, 'node_modules/.bin')

type CheckPart = [what: string, program: string, args: string[]]

export const quick: CheckPart[] = [
  ['types', 'tsc', []],
  ['lint', 'oxlint', ['--type-aware', '--deny-warnings', '--quiet']],
  ['format', 'oxfmt', ['--check']],
  ['words', process.execPath, ['test/words.ts']],
]
const fences: CheckPart = ['fences', process.execPath, ['--test', 'test/fences*.test.ts']]

/** Its exit code. */
export async function check(parts: CheckPart[]): Promise<number> {
  const codes = await Promise.all(parts.map(([, program, args]) => run(program, args)))
  const failed = parts.filter((_, at) => codes[at] !== 0).map(([what]) => what)
  if (failed.length > 0) console.error(`\nNot good yet: ${failed.join(', ')}`)
  else console.log(`Good: ${parts.map(([what]) => what).join(', ')}`)
  return failed.length > 0 ? 1 : 0
}

function run(program: string, args: string[]): Promise<number> {
  const file = path.isAbsolute(program) ? program : path.join(bin, program)
  const child = spawn(file, args, { cwd: root, stdio: ['ignore', 'pipe', 'pipe'] })
  let output = ''
  for (const stream of [child.stdout, child.stderr]) {
    stream.setEncoding('utf8').on('data', (words: string) => (output += words))
  }
  return new Promise((resolve, reject) => {
    child.on('error', reject)
    child.on('close', (code) => {
      if (code !== 0) process.stdout.write(output)
      resolve(code ?? 1)
    })
  })
}

if (import.meta.main) {
  if (process.argv.includes('--write')) {
    await run(process.execPath, ['src/commands/print-generated.server.ts', '--write'])
    await run('oxfmt', [])
    await run(process.execPath, ['test/wrap-docs.ts'])
  }
  process.exitCode = await check([...quick, fences])
}
