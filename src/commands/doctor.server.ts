// `npm run doctor`: looks at all that an operator could have wrong, line by line, and says what to do.
import { existsSync } from 'node:fs'
import path from 'node:path'
import { connect } from '#lib/db.server.ts'
import { openInstallation } from '#lib/database.server.ts'
import { version } from '#lib/version.server.ts'
import { writeBundle } from './bundle.server.ts'
import { checks } from './checks.server.ts'
import { command } from './command.server.ts'
import type { DoctorFinding } from './findings.server.ts'

const words = { good: 'good ', look: 'LOOK ', wrong: 'WRONG' }

await command('doctor', async ({ config, flags }) => {
  const { bundle } = flags
  if (typeof bundle === 'string' && !existsSync(path.dirname(path.resolve(bundle))))
    throw new Error(`There is no folder for ${bundle}.`) // before all is looked at
  console.log(`Healthfund ${version}`) // the settings were read, or their faults are told by now
  const database = await openInstallation(config)
  const sql = connect(database.url, { max: 2, name: 'healthfund doctor' })
  const found: DoctorFinding[] = []
  try {
    const mail_to = flags.mail === true ? undefined : flags.mail
    for (const check of checks) {
      for (const finding of await check({ config, sql, url: database.url, mail_to })) {
        found.push(finding)
        const { state, what, text, to_do } = finding
        const stop = /[.?]$/.test(text) ? '' : '.'
        console.log(`${words[state]}  ${what}: ${text}${to_do ? `${stop} To do: ${to_do}` : ''}`)
      }
      // Nothing further can be checked without a database, its schema and its key.
      if (found.at(-1)?.ends_here) break
    }
    if (typeof bundle === 'string') {
      await writeBundle(bundle, { config, sql, found })
      console.log(`Written to ${bundle}: read it before you send it.`)
    }
  } finally {
    await sql.end({ timeout: 5 })
    await database.stop()
  }
  const wrong = found.filter(({ state }) => state === 'wrong').length
  const warnings = found.filter(({ state }) => state === 'look').length
  console.log(wrong + warnings === 0 ? 'All is well.' : `${wrong} wrong, ${warnings} to look at.`)
  if (wrong > 0) process.exitCode = 1
})
