// The settings: each with its shape, its default and its sentence. `.env.example` is printed from here.
import { z } from 'zod'
import { retention_rules, spanOfDays, type RetentionRule } from './retention.ts'
import { backup_settings } from './backup-settings.ts'
import { connection_settings } from './connection-settings.ts'
import { database_settings } from './database-settings.ts'
import { tracing_settings } from './tracing-settings.ts'
import {
  address,
  base64Key,
  flag,
  list,
  onOff,
  setting,
  text,
  wholeNumber,
  type Setting,
} from './setting-shapes.ts'

const levels = ['trace', 'debug', 'info', 'warn', 'error', 'fatal', 'silent'] as const

type RetentionSettings = {
  [Rule in RetentionRule as (typeof retention_rules)[Rule]['setting']]: Setting<
    ReturnType<typeof wholeNumber>
  >
}

/** One setting for each rule of retention. */
function retentionSettings(): RetentionSettings {
  const rules = Object.values(retention_rules).map(({ setting: name, days, least, what }) => [
    name,
    setting(
      `Days until these go: ${lowered(what)}. Default: ${spanOfDays(days)}${least > 1 ? `, at least ${least}` : ''}.`,
      wholeNumber(days, least, 36_525),
    ),
  ])
  return Object.fromEntries(rules) as RetentionSettings
}
const lowered = (words: string) => words.charAt(0).toLowerCase() + words.slice(1)

export const env_vars = {
  PORT: setting('The port the product answers on.', wholeNumber(3000, 0, 65_535)),
  HOST: setting(
    'The address it listens on. Only loopback shows the built-in mailbox.',
    z
      .string()
      .regex(/^[\w.:%-]+$/, 'must be an address or a name')
      .default('127.0.0.1'),
  ),
  SITE_URL: setting(
    'Where people reach the product: links in mails begin with it. Default: this machine and PORT.',
    address.optional(),
    'https://fund.example.com',
  ),
  PROCESSES: setting(
    'How many processes answer at that port. With several there is one more, which does the jobs; each has up to 77 ' +
      'connections of the database, and limits per address of its own.',
    wholeNumber(1, 1, 64),
  ),
  ...database_settings,
  DATA_FOLDER: setting(
    'Where the embedded database, keys and receipts are kept.',
    z.string().default('.data'),
  ),
  ...backup_settings,
  INSTALLATION_KEY: setting(
    '32 bytes in base64 that wrap all other keys. Default: made at the first start in DATA_FOLDER. Several servers share one.',
    base64Key.optional(),
  ),
  DEMO: setting(
    'Fill an empty database with the demo world, whose passwords everybody knows. ' +
      'Default: on with the embedded database while nobody but this machine is served, else off.',
    onOff,
  ),
  OPERATOR_NAME: setting(
    'Who runs this installation: named on the terms, privacy and contact pages.',
    text,
    'Example Benefits Ltd',
  ),
  OPERATOR_ADDRESS: setting(
    'Their postal address, for the same pages.',
    text,
    '1 Example Street, 10000 Example',
  ),
  OPERATOR_EMAIL: setting(
    'Where people reach them about terms and privacy.',
    z.email('must be an email address').optional(),
    'privacy@example.com',
  ),
  OPERATOR_COUNTRY: setting(
    'The country whose law the terms are under, and whose supervisory authority takes complaints.',
    text,
    'Croatia',
  ),
  WORKER: setting(
    'Run jobs inside the server. Turn off where `npm run worker` runs as well.',
    flag(true),
  ),
  BUSY_AFTER_MS: setting(
    'How late a request may be for the database before new ones are turned away with 503.',
    wholeNumber(250, 10, 60_000),
  ),
  LOG_LEVEL: setting(
    `${levels.slice(0, -1).join(', ')} or ${levels.at(-1)}.`,
    z.enum(levels, `must be one of ${levels.join(', ')}`).default('info'),
  ),
  ADVISORY_REGISTRY: setting(
    'Asked once a day whether installed packages have known faults. Only their names and versions are sent; off: nothing.',
    z
      .union([z.literal('off'), address])
      .default('https://registry.npmjs.org/')
      .transform((value) => (value === 'off' ? undefined : value)),
    'https://registry.npmjs.org/',
  ),
  SMTP_URL: setting(
    'A mail server. Without one, mails are readable at /dev/mailbox at this machine. ' +
      'An https SITE_URL needs one, or off: nobody is mailed.',
    z
      .union([
        z.literal('off'),
        z.url({ protocol: /^smtps?$/, error: 'must be an smtp:// address' }),
      ])
      .optional()
      .transform((value) => (value === 'off' ? undefined : value)),
    'smtp://user:secret@mail.example.com:587',
  ),
  MAIL_FROM: setting(
    'The sender of all mails.',
    z.string().default('Healthfund <no-reply@localhost>'),
  ),
  S3_ENDPOINT: setting(
    'S3-compatible storage for receipts. Default: the folder files in DATA_FOLDER, which several servers must share.',
    address.optional(),
    'https://s3.eu-central-1.amazonaws.com',
  ),
  S3_BUCKET: setting('The bucket there.', text, 'healthfund-receipts'),
  S3_REGION: setting('Its region.', z.string().default('us-east-1')),
  S3_ACCESS_KEY_ID: setting('The access key, which may read, write and delete there.', text),
  S3_SECRET_ACCESS_KEY: setting('And its secret.', text),
  RECEIPT_READERS: setting(
    'How many receipts a worker reads at the same time.',
    wholeNumber(1, 1, 32),
  ),
  CLIENT_ADDRESS_HEADER: setting(
    'The header in which a trusted proxy of ours names the client, alone or appended to what it received. ' +
      'Never set it without one.',
    text,
    'x-forwarded-for',
  ),
  PROXIES: setting(
    'How many proxies of ours a request passes, each appending to that header: so many entries count, from its end.',
    wholeNumber(1, 1, 10),
  ),
  CORS_ORIGINS: setting('Other origins whose pages may call the API, separated by commas.', list),
  METRICS_TOKEN: setting(
    'A bearer token for /metrics. Without one it answers at this machine only.',
    text,
  ),
  ...tracing_settings,
  ...connection_settings,
  REDIRECT_ALLOW_LIST: setting(
    'Where links in mails may lead besides SITE_URL: addresses with *, separated by commas.',
    list,
  ),
  AUTH_SIGNING_JWK: setting(
    'A private EC key (JWK, P-256) that signs tokens. Default: made at the first start.',
    text,
  ),
  AUTH_AUTOCONFIRM: setting('Confirm email addresses without a mail. For tests.', flag(false)),
  AUTH_ALLOW_UNVERIFIED_SIGN_IN: setting(
    'People may sign in before they confirm their address, and see what is missing.',
    flag(true),
  ),
  AUTH_REQUIRE_CURRENT_PASSWORD: setting(
    'Changing a password asks for the current one.',
    flag(true),
  ),
  AUTH_MFA_PHONE: setting(
    'Text messages as a second step. Needs a sender; without one they land in the mailbox.',
    flag(false),
  ),
  AUTH_PASSWORD_MEMORY_MIB: setting(
    'How much memory a password hash takes (argon2id, three passes). Old hashes follow at the next sign-in.',
    wholeNumber(64, 19, 1024),
  ),
  PROVIDER_TWO_STEP: setting(
    'The provider’s staff, who see all companies, need a second step. Default: on, but for the demo world.',
    onOff,
  ),
  SESSION_DAYS: setting(
    'After how many days everybody signs in again. 0: never.',
    wholeNumber(30, 0, 3650),
  ),
  SESSION_IDLE_DAYS: setting(
    'After how many days without a visit a session ends. 0: never.',
    wholeNumber(14, 0, 3650),
  ),
  ADMIN_SESSION_HOURS: setting(
    'After how many hours admins, of companies and of the provider, sign in again. 0: as everybody.',
    wholeNumber(12, 0, 8760),
  ),
  ADMIN_IDLE_MINUTES: setting(
    'After how many minutes without an open page an admin’s session ends. 0: as everybody’s.',
    wholeNumber(30, 0, 10_080),
  ),
  AUTH_MAIL_PER_HOUR: setting(
    'How many account mails the service sends in an hour.',
    wholeNumber(1000, 1, 1_000_000),
  ),
  AUTH_MAIL_EVERY_SECONDS: setting(
    'The least time between two mails of a kind to one person.',
    wholeNumber(60, 0, 86_400),
  ),
  ...retentionSettings(),
} as const

export type Config = { [Name in keyof typeof env_vars]: z.output<(typeof env_vars)[Name]['shape']> }

/** The address of this installation, without a slash at the end: the one that is set, or else the one of the request. */
export const siteUrl = (
  { SITE_URL, PORT }: Pick<Config, 'SITE_URL' | 'PORT'>,
  asked_at = `http://localhost:${PORT}`,
) => (SITE_URL ?? asked_at).replace(/\/+$/, '')

/** A name that leads to this machine and can't be made to lead elsewhere. */
export const isLoopback = (host: string) => /^(localhost|127\.0\.0\.1|\[?::1\]?)$/.test(host)
export const isLoopbackAddress = (address: string) => /^(::1|(::ffff:)?127\.[\d.]+)$/.test(address)

/** Why other machines than this one may send requests; undefined if they can't. */
export function whyNotAlone(config: Config): string | undefined {
  const { HOST, SITE_URL, CLIENT_ADDRESS_HEADER } = config
  if (SITE_URL && !isLoopback(new URL(SITE_URL).hostname)) return 'SITE_URL is open to others'
  if (CLIENT_ADDRESS_HEADER) return 'CLIENT_ADDRESS_HEADER tells of a proxy'
  return isLoopback(HOST) || isLoopbackAddress(HOST) ? undefined : 'HOST is open to others'
}

/** The demo is never made in a database that somebody brought, nor on a server open to the world, unless it is asked for. */
export const demoIsOn = (config: Config) =>
  config.DEMO ? config.DEMO === 'on' : !config.DATABASE_URL && !whyNotAlone(config)

/** The provider's staff need a second step, except in the demo, whose passwords everybody knows. */
export const providerNeedsTwoStep = (config: Config) =>
  config.PROVIDER_TWO_STEP ? config.PROVIDER_TWO_STEP === 'on' : !demoIsOn(config)

/** Warnings for the operator at the start: what is off, and why. */
export function warningsOf(config: Config): string[] {
  const why = whyNotAlone(config)
  if (!why) return []
  const { SITE_URL, SMTP_URL, METRICS_TOKEN, CLIENT_ADDRESS_HEADER, HOST } = config
  const warnings = [
    !SITE_URL && 'only requests to localhost are answered: set SITE_URL',
    !SMTP_URL && 'mails are neither sent nor shown at /dev/mailbox: set SMTP_URL',
    !METRICS_TOKEN && '/metrics is off: set METRICS_TOKEN',
    demoIsOn(config) && 'the demo world is made, and its logins are not shown on the front page',
    !CLIENT_ADDRESS_HEADER &&
      isLoopback(HOST) &&
      'all who come through the proxy share the limits of one address: set CLIENT_ADDRESS_HEADER',
  ]
  return warnings.filter((line) => line !== false).map((line) => `As ${why}, ${line}.`)
}

/** Names that begin like settings of ours and are none, such as BACKUP_SHEDULE: nobody would read them. */
export function misspeltIn(env: Record<string, string | undefined>): string[] {
  const beginningOf = (name: string) => name.slice(0, name.indexOf('_') + 1)
  const ours = new Set(Object.keys(env_vars).map(beginningOf))
  // Settings that Node and OpenTelemetry read, of which we read a part, and names without a prefix.
  for (const theirs of ['NODE_', 'OTEL_', '']) ours.delete(theirs)
  return Object.keys(env).filter((name) => !(name in env_vars) && ours.has(beginningOf(name)))
}

/** Reads the settings; every fault is listed at once. */
export function readConfig(env: Record<string, string | undefined>): Config {
  const shapes = Object.fromEntries(Object.entries(env_vars).map(([name, s]) => [name, s.shape]))
  const set_values = Object.entries(env).filter(([name, value]) => name in env_vars && value !== '')
  const parsed = z.object(shapes).safeParse(Object.fromEntries(set_values))
  const faults = (parsed.error?.issues ?? []).map(
    (fault) => `${fault.path.join('.')}: ${fault.message}`,
  )
  if (env.SITE_URL?.startsWith('https:') && !env.SMTP_URL) faults.push(mail_needed)
  if (parsed.success && faults.length === 0) return parsed.data as unknown as Config
  throw new Error(`These settings need attention:\n  ${faults.join('\n  ')}`)
}

/** Nobody could confirm an address or set a password, and nobody would notice at the start. */
const mail_needed =
  'SMTP_URL: an installation that others reach by https needs a mail server, or off'

export function envExample(): string {
  const entries = Object.entries(env_vars).map(([name, { about, shape, example }]) => {
    const value = (shape as z.ZodType<string | number | boolean | string[] | undefined>).safeParse(
      undefined,
    )
    const shown = example ?? (value.success && value.data !== undefined ? show(value.data) : '')
    return `# ${about}\n# ${name}=${shown}\n`
  })
  return `# Healthfund reads these from the environment. All have defaults.\n\n${entries.join('\n')}`
}

const show = (value: string | number | boolean | string[]) =>
  typeof value === 'boolean' ? (value ? 'on' : 'off') : String(value)
