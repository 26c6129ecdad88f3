// `npm run reset`: the embedded database and all that lies beside it go; the next start begins anew.
import { rm } from 'node:fs/promises'
import path from 'node:path'
import { readConfig } from '#lib/config.server.ts'
import { stopUnused } from '#lib/embedded.server.ts'

const { DATA_FOLDER } = readConfig(process.env)
const folder = path.resolve(DATA_FOLDER)
const unused = await Promise.all(
  ['postgres', 'test'].map((name) => stopUnused(path.join(folder, name))),
)
if (unused.includes(false)) {
  console.error(`A server still uses ${DATA_FOLDER}. Stop it first.`)
  process.exit(1)
}
await rm(folder, { recursive: true, force: true })
console.log(`${DATA_FOLDER} is empty. npm start begins anew.`)
