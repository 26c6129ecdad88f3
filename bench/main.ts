// `npm run bench`: every workload of the quality page that exists so far, one table, one file.
import { funds } from './funds.ts'
import { report } from './measure.ts'
import { people } from './people.ts'
import { receipts } from './receipts.ts'
import { signIn } from './sign-in.ts'
import { openStage } from './stage.ts'
import { starting } from './start.ts'

const seconds = process.argv.includes('--full') ? 10 : 4

await starting()
const stage = await openStage()
try {
  await signIn(stage, seconds)
  await receipts(stage, seconds)
  await funds(stage, process.argv.includes('--full'))
  await people(stage, process.argv.includes('--full')) // last: it leaves a hundred thousand mails to send
} finally {
  await stage.close()
}
await report(new URL('results.json', import.meta.url))
