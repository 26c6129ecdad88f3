// How the server is and what the platform amounts to, for the provider.
import type { Config } from '#lib/config.server.ts'
import { row } from '#lib/db.server.ts'
import { write } from '#lib/mail-text.server.ts'
import type { Standby } from '#lib/standby.server.ts'
import { hiddenIn } from '#lib/suppress.ts'
import type { Handlers } from '#lib/serve.server.ts'
import { z } from 'zod'
import { installationOf } from './installation.server.ts'
import { PlatformFigures, system } from './system.contract.ts'
import { verdictOf, type Measured } from './verdict.ts'

const compared_days = 30

const PlatformSums = PlatformFigures.omit({ employees_before: true, money: true }).extend({
  employees_since: z.int(),
  money: z.array(
    PlatformFigures.shape.money.element.extend({ used_cents: z.int(), used_before_cents: z.int() }),
  ),
})

type SystemOptions = { config: Config; standby: Standby }

export const systemHandlers = ({ config, standby }: SystemOptions): Handlers<typeof system> => ({
  installation: async () => installationOf(config),

  test_mail: async ({ tx }) => {
    const { subject, text, html } = write('', test_mail)
    return row(
      system.test_mail.output,
      tx`select post_test_mail(${subject}, ${text}, ${html}, ${Boolean(config.SMTP_URL)}) as to`,
    )
  },

  health: async ({ tx }) => {
    await tx`select` // whoever asks is known by now: what comes next is the way there and back alone
    const began = performance.now()
    await tx`select`
    const ping_ms = performance.now() - began
    const [found] = await tx<[{ measured: Measured }]>`select system_health() as measured`
    return verdictOf(found.measured, { ping_ms, standby: standby.state })
  },

  figures: async ({ tx }) => {
    const found = tx`select f.* from platform_figures(${compared_days}) j,
      jsonb_to_record(j) f (days int, companies int, companies_before int, employees int,
        employees_since int, money jsonb)`
    const { employees_since, money, ...figures } = await row(PlatformSums, found)
    const few = async (days: number) => hiddenIn(await tx`select * from used_by_few(${days})`)
    const [hidden, hidden_before] = [await few(0), await few(compared_days)]
    return {
      ...figures,
      employees_before: figures.employees - employees_since,
      money: money.map((sums) => ({
        ...sums,
        ...(hidden.has(sums.currency) && {
          used_cents: null,
          used_before_cents: null,
          percent: null,
          percent_before: null,
        }),
        ...(hidden_before.has(sums.currency) && { used_before_cents: null, percent_before: null }),
      })),
    }
  },

  retry_jobs: ({ tx }) => row(system.retry_jobs.output, tx`select retry_failed_jobs() as jobs`),

  check_updates: async ({ tx }) => {
    await tx`select ask_for_advisories()`
    return { requested: true }
  },
})

const test_mail = {
  subject: 'A test mail',
  paragraphs: [
    'You asked for this mail under Settings, Installation. If you can read it, mail works.',
    'It was sent like all others: by a worker, through the mail server of this installation.',
  ],
}
