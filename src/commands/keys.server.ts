// `npm run keys`: the long-lived keys of tools that drive the auth service from outside. `npm run keys -- rotate-signing`:
// another key signs tokens; issued ones stay valid until they end. `npm run keys -- rotate`: another key wraps the keys of all
// files from now on.
import { rotateSigningKey } from '#gotrue/keys.server.ts'
import { anonAndServiceKeys } from '#gotrue/secrets.server.ts'
import { openServices, type Services } from '#services.server.ts'
import type { Config } from '#lib/config.server.ts'
import { keyHere } from '#lib/keys.server.ts'
import { rotateFileKeys } from '#receipts/rotate.server.ts'
import { command, withDatabase } from './command.server.ts'

await command('keys', async ({ config, words: [word] }) => {
  if (word === undefined) return print(config)
  const act = { rotate, 'rotate-signing': rotateSigning }[word]
  if (!act) throw new Error(`There is no keys ${word}: rotate, rotate-signing, or nothing.`)
  return withDatabase(config, async (url) => {
    const services = await openServices(config, url, { visit: true })
    try {
      await act(config, services)
    } finally {
      await services.close()
    }
  })
})

async function print({ DATA_FOLDER, INSTALLATION_KEY }: Config) {
  const key = await keyHere(DATA_FOLDER, INSTALLATION_KEY)
  if (!key) throw new Error('There is no key yet: the first npm start makes it.')
  const { anon_key, service_key } = await anonAndServiceKeys(key)
  console.log(`ANON_KEY=${anon_key}\nSERVICE_KEY=${service_key}`)
}

async function rotate(config: Config, { sql, installation_key }: Services) {
  const { rewrapped } = await rotateFileKeys(config, sql.owner, installation_key)
  console.log(`A new key wraps the keys of files. Wrapped again: ${rewrapped}`)
}

async function rotateSigning(_: Config, { auth_options }: Services) {
  const kid = await rotateSigningKey(auth_options)
  console.log(`Tokens are signed by ${kid} from now on.`)
}
