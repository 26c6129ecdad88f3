// Prints `.env.example`; with --write renews it and docs/api.md.
import { writeFile } from 'node:fs/promises'
import { apiList } from '#api-list.server.ts'
import { envExample } from '#lib/config.server.ts'
import { command } from './command.server.ts'

await command('print-generated', async ({ flags }) => {
  if (!flags.write) return console.log(envExample())
  await writeFile('.env.example', envExample())
  await writeFile('docs/api.md', apiList())
})
