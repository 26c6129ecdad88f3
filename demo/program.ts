// The process that makes the demo world, asked by a server that finds an empty database: apart, so that the memory
// a year of acts takes is given back.
import type { Config } from '#lib/config.server.ts'
import { makeLog } from '#lib/log.server.ts'
import { make } from './play.ts'

/** How the server is set up, and where its database is. */
export type ProgramInput = { config: Config; url: string }

process.once('disconnect', () => process.exit(1)) // whoever asked for it is gone
process.once('message', (message) => {
  const { config, url } = message as ProgramInput
  make(config, url).then(
    () => process.exit(0),
    (error: unknown) => {
      makeLog(config.LOG_LEVEL).fatal({ err: error }, 'the demo world could not be made')
      process.exit(1)
    },
  )
})
