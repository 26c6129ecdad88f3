// `npm run keys`: the long-lived keys of tools that drive the auth service from outside.
// `npm run keys -- rotate-signing`: another key signs tokens; those that are out hold until they end.
// `npm run keys -- rotate`: another key wraps those of all files from now on.
import { rotateSigningKey } from '#auth/keys.server.ts'
import { anonAndServiceKeys } from '#auth/secrets.server.ts'
import { openHouse } from '#house.server.ts'
import { readConfig } from '#lib/config.server.ts'
import { openDatabase } from '#lib/database.server.ts'
import { connect } from '#lib/db.server.ts'
import { installationKey } from '#lib/keys.server.ts'
import { migrate } from '#lib/migrate.server.ts'
import { rotateFileKeys } from '#receipts/rotate.server.ts'

const config = readConfig(process.env)
const key = await installationKey(config.DATA_FOLDER, config.INSTALLATION_KEY)

if (process.argv.includes('rotate')) await rotate()
else if (process.argv.includes('rotate-signing')) await rotateSigning()
else {
  const { anon_key, service_key } = await anonAndServiceKeys(key)
  console.log(`ANON_KEY=${anon_key}\nSERVICE_KEY=${service_key}`)
}

async function rotate() {
  const database = await openDatabase(config)
  await migrate(database.url)
  const sql = connect(database.url, { max: 2, name: 'healthfund keys' })
  try {
    const { rewrapped } = await rotateFileKeys(config, sql, key)
    console.log(`A new key wraps the keys of files. Wrapped anew: ${rewrapped}`)
  } finally {
    await sql.end()
    await database.stop()
  }
}

async function rotateSigning() {
  const database = await openDatabase(config)
  const house = await openHouse(config, database.url)
  try {
    const kid = await rotateSigningKey(house.auth_options)
    console.log(`Tokens are signed by ${kid} from now on.`)
  } finally {
    await house.close()
    await database.stop()
  }
}
