// `npm run keys`: the long-lived keys of tools that drive the auth service from outside.
import { anonAndServiceKeys } from '#auth/secrets.server.ts'
import { readConfig } from '#lib/config.server.ts'
import { installationKey } from '#lib/keys.server.ts'

const config = readConfig(process.env)
const key = await installationKey(config.DATA_FOLDER, config.INSTALLATION_KEY)
const { anon_key, service_key } = await anonAndServiceKeys(key)
console.log(`ANON_KEY=${anon_key}\nSERVICE_KEY=${service_key}`)
