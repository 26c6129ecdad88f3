// `npm run reset`: deletes what a start made, and nothing else; the next start begins again.
import { existsSync } from 'node:fs'
import { readdir, readFile, rename, rm } from 'node:fs/promises'
import path from 'node:path'
import { createInterface } from 'node:readline/promises'
import type { Config } from '#lib/config.server.ts'
import { usedByFile } from '#lib/database.server.ts'
import { stopUnused } from '#lib/embedded.server.ts'
import { command } from './command.server.ts'

/** The files that a start with the embedded database makes in DATA_FOLDER. */
const made = ['postgres', 'files', 'installation.key', 'restoring']

await command('reset', async ({ config, flags }) => {
  const folder = path.resolve(config.DATA_FOLDER)
  const database = path.join(folder, 'postgres')
  await refuse(config, folder, database)
  await refuseInUse(folder, database)
  await confirm(folder, flags.yes)
  await refuseInUse(folder, database) // whoever was asked may have taken his time
  // The database is moved away first: a server that starts meanwhile begins again, and its files are not deleted.
  const aside = `${database}.deleted-${process.pid}`
  await rename(database, aside)
  for (const name of made) await rm(path.join(folder, name), { recursive: true, force: true })
  await rm(aside, { recursive: true })
  const left = await readdir(folder)
  console.log(`The embedded database of ${folder} is gone. npm start makes a new one.`)
  if (left.length > 0) console.log(`Left as it was: ${left.join(', ')}`)
})

async function refuse({ DATABASE_URL }: Config, folder: string, database: string) {
  if (DATABASE_URL)
    throw new Error(
      'DATABASE_URL is set, and reset only ever deletes an embedded database: to begin again there, ' +
        'drop that database and create an empty one.',
    )
  if (!existsSync(database))
    throw new Error(`There is no embedded database in ${folder}: nothing is deleted.`)
  const other = await readFile(usedByFile(folder), 'utf8').catch(() => '')
  if (other)
    throw new Error(
      `${folder} holds files and the key of ${other.trim()}, too: nothing is deleted. Give that ` +
        `installation a DATA_FOLDER of its own, then remove ${usedByFile(folder)}.`,
    )
}

async function refuseInUse(folder: string, database: string) {
  if (!(await stopUnused(database)))
    throw new Error(`A server, a worker or a command still uses ${folder}. Stop it first.`)
}

/** Asks for the folder's whole path, which no other installation has. */
async function confirm(folder: string, yes: string | true | undefined) {
  if (yes === folder) return
  const gone = `This deletes the embedded database of ${folder}, its files and its key permanently.`
  if (yes !== undefined) throw new Error(`--yes names ${String(yes)}, and the folder is ${folder}.`)
  if (!process.stdin.isTTY) throw new Error(`${gone} If you mean it: --yes ${folder}`)
  const lines = createInterface({ input: process.stdin, output: process.stdout })
  const answer = await lines.question(`${gone}\nIf you mean it, write ${folder} : `)
  lines.close()
  if (answer.trim() !== folder) throw new Error('That is not its path. Nothing is deleted.')
}
