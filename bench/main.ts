// `npm run bench`: every workload of the quality page that exists so far, one table, one file.
import path from 'node:path'
import { buildIfStale } from '#lib/build-screens.server.ts'
import { claimLists } from './claim-lists.ts'
import { claims } from './claims.ts'
import { cost } from './cost.ts'
import { dashboards } from './dashboards.ts'
import { funds } from './funds.ts'
import { live } from './live.ts'
import { report } from './measure.ts'
import { overload } from './overload.ts'
import { firstVisits } from './pages.ts'
import { people, peopleLists } from './people.ts'
import { receipts } from './receipts.ts'
import { signIn } from './sign-in.ts'
import { size } from './size.ts'
import { openStage } from './stage.ts'
import { measureStart } from './start.ts'

const seconds = process.argv.includes('--full') ? 10 : 4

/** `npm run bench -- live pages`: only those. */
const chosen = process.argv.slice(2).filter((word) => !word.startsWith('-'))
const isChosen = (name: string) => chosen.length === 0 || chosen.includes(name)

await buildIfStale(path.resolve(import.meta.dirname, '..'))
if (chosen[0] === 'size') {
  await size(process.argv.slice(3), seconds)
  await report(new URL('results.json', import.meta.url))
  process.exit()
}
if (isChosen('start')) await measureStart()
const stage = await openStage()
try {
  if (isChosen('sign-in')) await signIn(stage, seconds)
  if (isChosen('cost')) await cost(stage, seconds)
  if (isChosen('claims')) await claims(stage, process.argv.includes('--full'), seconds)
  if (isChosen('lists')) {
    await claimLists(stage, process.argv.includes('--full'))
    await peopleLists(stage, process.argv.includes('--full'))
  }
  if (isChosen('receipts')) await receipts(stage, seconds)
  if (isChosen('pages')) await firstVisits(stage)
  if (isChosen('live')) await live(stage, seconds * 2)
  if (isChosen('overload')) await overload(stage, seconds)
  if (isChosen('dashboards')) await dashboards(stage, process.argv.includes('--full'))
  if (isChosen('funds')) await funds(stage, process.argv.includes('--full'))
  // Last: it leaves a hundred thousand mails to send.
  if (isChosen('people')) await people(stage, process.argv.includes('--full'))
} finally {
  await stage.close()
}
await report(new URL('results.json', import.meta.url))
