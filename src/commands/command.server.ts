// The frame of every command: it reads its arguments, does its work and ends with a sentence.
import { readConfig, type Config } from '#lib/config.server.ts'
import { openInstallation, type Database } from '#lib/database.server.ts'
import { faultText } from '#lib/faults.server.ts'
import { parseCommand } from './commands.mjs'

type CommandInput = ReturnType<typeof parseCommand> & { config: Config }

export async function command(
  name: string,
  act: (input: CommandInput) => Promise<void>,
): Promise<void> {
  const parsed = parseCommand(name)
  try {
    await act({ ...parsed, config: readConfig(process.env) })
  } catch (error) {
    console.error(faultText(error))
    process.exitCode = 1
  }
}

/** Acts with the database of the settings; the embedded one is started for it. */
export async function withDatabase(
  config: Config,
  act: (url: string) => Promise<void>,
  open: (config: Config) => Promise<Database> = openInstallation,
): Promise<void> {
  const database = await open(config)
  try {
    await act(database.url)
  } finally {
    await database.stop()
  }
}
