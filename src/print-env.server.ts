// Prints the settings as `.env.example`; with --write renews it and openapi.json.
import { writeFile } from 'node:fs/promises'
import { contracts } from '#contracts.ts'
import { envExample } from '#lib/config.server.ts'
import { openapi } from '#lib/openapi.ts'

if (process.argv.includes('--write')) {
  await writeFile('.env.example', envExample())
  await writeFile('openapi.json', `${JSON.stringify(openapi(contracts), null, 2)}\n`)
} else {
  console.log(envExample())
}
