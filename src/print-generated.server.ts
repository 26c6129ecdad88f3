// Prints `.env.example`; with --write renews it and docs/api.md.
import { writeFile } from 'node:fs/promises'
import { apiList } from '#api-list.server.ts'
import { envExample } from '#lib/config.server.ts'

if (process.argv.includes('--write')) {
  await writeFile('.env.example', envExample())
  await writeFile('docs/api.md', apiList())
} else {
  console.log(envExample())
}
