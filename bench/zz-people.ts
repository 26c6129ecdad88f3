import { openStage } from './stage.ts'
import { people } from './people.ts'
process.on('unhandledRejection', (e) => console.log('UNHANDLED', e))
const stage = await openStage()
try {
  await people(stage, process.argv.includes('--full'))
} catch (e) {
  console.log('FAILED', e)
} finally {
  await stage.close()
  process.exit()
}
