// Options of the auth service, for whoever opens it: the server, or a worker that mails invitations.
import { authSettings } from '#gotrue/from-config.server.ts'
import type { AuthOptions } from '#gotrue/settings.server.ts'
import type { Config } from '#lib/config.server.ts'
import type { Sql } from '#lib/db.server.ts'
import type { Log } from '#lib/log.server.ts'
import { poster } from '#lib/mail.server.ts'
import type { Metrics } from '#lib/metrics.server.ts'
import { unsubscribeLinks } from '#notifications/unsubscribe.server.ts'

type ServerParts = {
  config: Config
  sql: Sql
  log: Log
  installation_key: Buffer
  metrics?: Metrics
}

export const authOptions = (
  { config, metrics, installation_key, ...rest }: ServerParts,
  now?: () => Date,
) =>
  ({
    ...rest,
    settings: authSettings(config),
    keys: { installation_key },
    post: poster(Boolean(config.SMTP_URL)),
    mailRefused: (share: string) => metrics?.mails_refused.inc({ share }),
    ...(now ? { now } : {}),
  }) satisfies AuthOptions

export const unsubscribeLinksOf = ({ keys, settings }: AuthOptions) =>
  unsubscribeLinks(keys.installation_key, settings.site_url)
