import { claims } from '/work/h/claims/bench/claims.ts'
import { openStage } from '/work/h/claims/bench/stage.ts'
const stage = await openStage()
try { await claims(stage, process.argv.includes('--full'), Number(process.env.SECONDS_EACH ?? 4)) } finally { await stage.close() }
