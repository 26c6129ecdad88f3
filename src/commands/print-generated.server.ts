// Prints `.env.example`; with --write renews it, docs/api.md and docs/api-v1.json.
import { writeFile } from 'node:fs/promises'
import { apiList, publicApi } from '#api-list.server.ts'
import { envExample } from '#lib/config.server.ts'
import { command } from './command.server.ts'

await command('print-generated', async ({ flags }) => {
  if (!flags.write) return console.log(envExample())
  await writeFile('.env.example', envExample())
  await writeFile('docs/api.md', apiList())
  await writeFile('docs/api-v1.json', publicApi())
})
