// The settings: each with its shape, its default and its sentence. `.env.example` is printed from here.
import { z } from 'zod'

type Setting<S extends z.ZodType> = { about: string; shape: S; example?: string }
const setting = <S extends z.ZodType>(about: string, shape: S, example?: string): Setting<S> => ({
  about,
  shape,
  ...(example === undefined ? {} : { example }),
})

const flag = (fallback: boolean) =>
  z
    .enum(['on', 'off', 'true', 'false', '1', '0'], 'must be on or off')
    .default(fallback ? 'on' : 'off')
    .transform((word) => ['on', 'true', '1'].includes(word))
const whole = (fallback: number, least: number, most: number) =>
  z.coerce.number('must be a number').int().min(least).max(most).default(fallback)
const list = z
  .string()
  .default('')
  .transform((text) =>
    text
      .split(',')
      .map((part) => part.trim())
      .filter(Boolean),
  )
const text = z.string().optional()
const address = z.url({ protocol: /^https?$/, error: 'must be an http(s) address' })
const base64Key = z
  .string()
  .refine((value) => Buffer.from(value, 'base64').length === 32, 'must be 32 bytes in base64')

export const settings = {
  PORT: setting('The port the product answers on.', whole(3000, 0, 65_535)),
  HOST: setting(
    'The address it listens on. Only loopback shows the built-in mailbox.',
    z.string().default('127.0.0.1'),
  ),
  SITE_URL: setting(
    'Where people reach the product: links in mails begin with it. Default: this machine and PORT.',
    address.optional(),
    'https://fund.example.com',
  ),
  DATABASE_URL: setting(
    'A PostgreSQL 15 or newer, as a login that may create roles. Default: one of our own in DATA_FOLDER.',
    z.url({ protocol: /^postgres(ql)?$/, error: 'must be a postgres:// address' }).optional(),
    'postgres://owner:secret@127.0.0.1:5432/healthfund',
  ),
  DATA_FOLDER: setting(
    'Where the embedded database, keys and receipts are kept.',
    z.string().default('.data'),
  ),
  INSTALLATION_KEY: setting(
    '32 bytes in base64 that wrap all other keys. Default: made at the first start in DATA_FOLDER. Several servers share one.',
    base64Key.optional(),
  ),
  DEMO: setting(
    'Fill an empty database with the demo world, whose passwords everybody knows. ' +
      'Default: on with the embedded database while HOST is loopback, else off.',
    z.enum(['on', 'off']).optional(),
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
    z.email('must be an e-mail address').optional(),
    'privacy@example.com',
  ),
  OPERATOR_COUNTRY: setting(
    'The country whose law the terms are under, and whose supervisory authority takes complaints.',
    text,
    'Croatia',
  ),
  WORKER: setting(
    'Run jobs inside the server. Turn off where `npm run worker` runs beside it.',
    flag(true),
  ),
  BUSY_AFTER_MS: setting(
    'How late a request may be for the database before new ones are turned away with 503.',
    whole(250, 10, 60_000),
  ),
  LOG_LEVEL: setting(
    'trace, debug, info, warn, error, fatal or silent.',
    z.enum(['trace', 'debug', 'info', 'warn', 'error', 'fatal', 'silent']).default('info'),
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
    'A mail server. Without one, mails are readable at /dev/mailbox on loopback.',
    z.url({ protocol: /^smtps?$/, error: 'must be an smtp:// address' }).optional(),
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
  S3_ACCESS_KEY_ID: setting('Who may read, write and delete there.', text),
  S3_SECRET_ACCESS_KEY: setting('And the secret of it.', text),
  RECEIPT_READERS: setting('How many receipts a worker reads side by side.', whole(1, 1, 32)),
  CLIENT_ADDRESS_HEADER: setting(
    'The header in which a trusted proxy of ours names the client. Never set it without one.',
    text,
    'x-forwarded-for',
  ),
  CORS_ORIGINS: setting('Other origins whose pages may call the API, separated by commas.', list),
  METRICS_TOKEN: setting(
    'A bearer token for /metrics. Without one it answers on loopback only.',
    text,
  ),
  REDIRECT_ALLOW_LIST: setting(
    'Where links in mails may lead besides SITE_URL: addresses with *, separated by commas.',
    list,
  ),
  AUTH_SIGNING_JWK: setting(
    'A private EC key (JWK, P-256) that signs tokens. Default: made at the first start.',
    text,
  ),
  AUTH_AUTOCONFIRM: setting('Confirm e-mail addresses without a mail. For tests.', flag(false)),
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
    whole(64, 19, 1024),
  ),
  AUTH_MAIL_PER_HOUR: setting(
    'How many account mails the service sends in an hour.',
    whole(1000, 1, 1_000_000),
  ),
  AUTH_MAIL_EVERY_SECONDS: setting(
    'The least time between two mails of a kind to one person.',
    whole(60, 0, 86_400),
  ),
} as const

export type Config = { [Name in keyof typeof settings]: z.output<(typeof settings)[Name]['shape']> }

const loopback = /^(localhost|127\.[\d.]+|::1)$/
export const isLoopback = ({ HOST }: Config) => loopback.test(HOST)

/** Never in a database that somebody brought, nor open to the world, unless they ask. */
export const demoIsOn = (config: Config) =>
  config.DEMO ? config.DEMO === 'on' : !config.DATABASE_URL && isLoopback(config)

/** Reads the settings; every fault is listed at once. */
export function readConfig(env: Record<string, string | undefined>): Config {
  const shapes = Object.fromEntries(Object.entries(settings).map(([name, s]) => [name, s.shape]))
  const given = Object.entries(env).filter(([name, value]) => name in settings && value !== '')
  const parsed = z.object(shapes).safeParse(Object.fromEntries(given))
  if (parsed.success) return parsed.data as unknown as Config
  const faults = parsed.error.issues.map((fault) => `  ${fault.path.join('.')}: ${fault.message}`)
  throw new Error(`These settings need attention:\n${faults.join('\n')}`)
}

export function envExample(): string {
  const entries = Object.entries(settings).map(([name, { about, shape, example }]) => {
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
