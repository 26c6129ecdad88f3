// The whole server in process, on a database of its own, entered by its front door with the browser's own clients.
// The files of this folder, for who writes a test:
// - people.ts: companies, sign-ups and sign-ins, of this scene or of a server process; how acts end
// - company.ts: a company whose people claim; money.ts: one with money, and moves of money without a claim
// - payouts.ts: one that pays; rights.ts: rights in it; health-checks.ts: checks its people book
// - claims.ts: claims by any server, and what the books have to show; notices.ts: notifications, and the record
// - receipts.ts: receipts sent, read and blacked out; papers.ts: the PDFs and photos themselves
// - people-files.ts: employees by files; keys.ts, webhooks.ts, scim.ts, sso.ts: its other systems
// - life.ts, one-of-each.ts, more-of-each.ts: everything there can be about a person, or in a company
// - by-clock.ts: an installation whose clock is moved; straight.ts: SQL as the login that requests use
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { openServices, type Services } from '#services.server.ts'
import type { Tx } from '#lib/db.server.ts'
import { readConfig } from '#lib/config.server.ts'
import { testDatabase } from '../database.ts'
import { opened } from './opened.ts'
import { apiFor, callerOf, peopleAt, type Person } from './people.ts'
import { sealRecord } from './notices.ts'

const origin = 'http://127.0.0.1'

type SceneOptions = {
  env?: Record<string, string> | ((database_url: string) => Record<string, string>)
  worker?: boolean
  /** Preparation before the first request, such as building the screens. */
  furnish?: (services: Services) => Promise<void>
}

export async function openScene({ env = {}, worker = false, furnish }: SceneOptions = {}) {
  const database = await testDatabase()
  const folder = await mkdtemp(path.join(tmpdir(), 'healthfund-scene-'))
  const options = {
    DATA_FOLDER: folder,
    LOG_LEVEL: 'fatal',
    AUTH_AUTOCONFIRM: 'on',
    BUSY_AFTER_MS: '60000', // tests press all at once, on slow machines, and mean it
    AUTH_PASSWORD_MEMORY_MIB: '19',
    ADVISORY_REGISTRY: 'off', // no test talks to the outside
    SITE_URL: origin,
    ...(typeof env === 'function' ? env(database.url) : env),
  }
  // Less than an operator may choose: thousands of people enter here, each with a hash of their own.
  const config = { ...readConfig(options), AUTH_PASSWORD_MEMORY_MIB: 1 }
  const services = await openServices(config, database.url, { worker })
  await furnish?.(services)
  return {
    ...peopleAt(services, services.sql.owner),
    services,
    config,
    /** The settings as they were given, for another server beside this one. */
    env: options,
    database_url: database.url,
    sql: services.sql.owner,
    /** The tools that jobs get. */
    tools: { sql: services.sql.owner, log: services.log },
    visitor: apiFor(services, undefined),
    /** Straight SQL of a person, as the login that requests use. */
    straight: <T>(person: Person, work: (tx: Tx) => Promise<T>): Promise<T> =>
      services.transactions.run(callerOf(person), (tx) => work(tx)).then(({ answer }) => answer),
    /** Sets the currency as if the company had it from the beginning: once money is recorded nobody can change it. */
    countsIn: (company_id: string, currency: string) =>
      services.sql.owner.begin(async (tx) => {
        await tx`alter table companies disable trigger keep_currency`
        await tx`update companies set currency = ${currency} where id = ${company_id}`
        await tx`alter table companies enable trigger keep_currency`
      }),
    /** The record, with all that was written so far. */
    seal: () => sealRecord(services.sql.owner),
    /** The time for undoing what was decided is over: people are told of it. */
    notifyDecisions: () => services.sql.owner`select private.notify_decisions('infinity')`,
    /** The mails in the built-in mailbox, newest first. */
    async mailbox(): Promise<{ to: string; subject: string; text: string; html: string }[]> {
      await services.posted()
      return (await services.app.request('/dev/mailbox.json')).json()
    },
    async close() {
      await services.close(60_000) // the process goes on: nothing may come back to a database that is gone
      await database.drop()
      await rm(folder, { recursive: true })
    },
  }
}
export type Scene = Awaited<ReturnType<typeof openScene>>

/** A scene for the tests of a file, or of one `describe`. */
export const openedScene = (options?: SceneOptions): Scene => opened(() => openScene(options))
