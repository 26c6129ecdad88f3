import type { Config } from '#lib/config.server.ts'
import { demoIsOn } from '#lib/config.server.ts'
import { daysOf } from '#lib/retention.ts'
import type { Handlers } from '#lib/serve.server.ts'
import { Site, type site } from './site.contract.ts'

export const siteHandlers = (config: Config): Handlers<typeof site> => ({
  about: async ({ tx, is_local }) => {
    // Passwords of the demo are public: people who show it to others hand them out themselves.
    const [demo] =
      is_local && demoIsOn(config)
        ? await tx<{ logins: unknown }[]>`
          select logins from demo_world where finished_at is not null`
        : []
    return Site.parse({
      operator: {
        name: config.OPERATOR_NAME ?? null,
        address: config.OPERATOR_ADDRESS ?? null,
        email: config.OPERATOR_EMAIL ?? null,
        country: config.OPERATOR_COUNTRY ?? null,
      },
      kept: daysOf(config),
      demo: demo ? { logins: demo.logins } : null,
    })
  },
})
