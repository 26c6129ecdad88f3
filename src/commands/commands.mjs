// @ts-check
// Every command: what it does, what it takes, and the one way in which all of them are asked. run.mjs asks here
// before anything is installed, so this is plain JavaScript for any Node from 20 on.
import { parseArgs } from 'node:util'

/**
 * @typedef {{
 *   about: string,
 *   takes?: string,
 *   flags?: Record<string, string | readonly [value: string, about: string]>,
 *   passes_on?: boolean,
 *   unlisted?: boolean,
 * }} Command
 */

/** `takes`: words in <…> must be given, those in […] may be. A flag with a value names it first. */
/** @type {Record<string, Command>} */
export const commands = {
  start: { about: 'Serves: builds the screens if they are stale, opens the database, does jobs.' },
  dev: { about: 'Serves with reload, for development.' },
  build: { about: 'Builds the screens if they are stale, for servers that may not write here.' },
  worker: { about: 'Does jobs, beside servers that run with WORKER=off.' },
  migrate: {
    about: 'Brings the database up to date, as each start does, and ends.',
  },
  backup: {
    about: 'Copies everything as of one moment, while servers run.',
    takes: '[folder]',
    flags: {
      'without-key': 'leaves the installation’s key out',
      'without-receipts': 'leaves receipts on S3 in their bucket',
    },
  },
  restore: {
    about:
      'Brings a backup into an empty database and an empty DATA_FOLDER: all of it or nothing. ' +
      's3:<name> instead of a folder fetches it from the bucket.',
    takes: '<folder>',
    flags: { 'private-key': ['file', 'of age, for a backup that is encrypted'] },
  },
  drill: {
    about:
      'Restores a backup into a scratch database that is dropped again, and proves ledgers and audit: ' +
      'the newest of BACKUP_FOLDER, or that folder, or s3:<name> of the bucket.',
    takes: '[folder]',
    flags: {
      'private-key': ['file', 'of age, for a backup that is encrypted'],
      fresh: 'makes the next backup and tries that one: no private key is needed',
    },
  },
  'ledger:verify': {
    about: 'Proves the ledgers of all companies from their rows, or names the first bad entry.',
  },
  cluster: {
    about:
      'Tries high availability on this machine: three PostgreSQL that fail over (Patroni, etcd and HAProxy of ' +
      'Debian), two servers and a worker, until Ctrl-C.',
  },
  keys: {
    about:
      'Prints the keys of tools that drive the auth service. rotate: a new key wraps those of all ' +
      'files. rotate-signing: a new key signs tokens.',
    takes: '[rotate|rotate-signing]',
  },
  doctor: {
    about: 'Looks at all that an operator could have wrong, and says what to do.',
    flags: {
      mail: ['address', 'sends a test mail there'],
      bundle: ['file', 'writes what it found, and figures without persons, for whoever helps'],
    },
  },
  admin: {
    about:
      'Helps people who cannot help themselves: makes a Super Admin (of somebody new with the name), ' +
      'removes a second step, signs out everywhere, sets a password and shows it once.',
    takes: '<super-admin|reset-two-step|end-sessions|set-password> <email> [name]',
  },
  reset: {
    about:
      'Deletes the embedded database, its files and the key beside it; the next start begins again. ' +
      'Backups and whatever else lies there stay.',
    flags: { yes: ['data folder', 'the full path of DATA_FOLDER, instead of being asked for it'] },
  },
  check: {
    about: 'Types, lint, format and the rules of the repository.',
    flags: { write: 'fixes the format and renews generated files first' },
  },
  test: {
    about:
      'Checks, then runs all tests, or those in the files and folders named. On another day, as ' +
      'start and bench: --on <moment>, --on all, --tz <zone>, --database-tz <zone>.',
    takes: '[place…]',
    passes_on: true,
  },
  'test:cluster': {
    about:
      'Breaks a cluster in six ways while people claim, and measures how long writes are away.',
  },
  looks: {
    about:
      'Looks at every page in every dress, or at those of the tests named, and keeps the pictures ' +
      'in .data/screenshots.',
    takes: '[place…]',
  },
  bench: {
    about: 'Measures what the docs promise, or only the workloads named.',
    takes: '[workload…]',
    flags: {
      full: 'longer, on more data',
      people: ['count', 'size: in a world of so many'],
      folder: ['folder', 'size: where that world is kept'],
    },
  },
  'print-generated': {
    unlisted: true,
    about: 'Prints .env.example.',
    flags: { write: 'writes it and docs/api.md instead' },
  },
}

/**
 * The words and flags that a command was given. It ends here with its help where that was asked for, and with one
 * sentence where something was given that it does not take.
 *
 * @param {string | undefined} name
 * @param {string[]} args
 * @returns {{ words: string[], flags: Record<string, string | true> }}
 */
export function parseCommand(name, args = process.argv.slice(2)) {
  if (name === undefined || isHelp(name)) {
    console.log(overview())
    process.exit(0)
  }
  const command = commands[name]
  if (!command) return refuse(`There is no '${name}'. There are: ${names()}`)
  if (args.some(isHelp)) {
    console.log(helpOf(name, command))
    process.exit(0)
  }
  if (command.passes_on) return { words: args, flags: {} }
  const { words, flags } = read(name, command, args)
  const [least, most] = countOf(command.takes)
  if (words.length < least) refuse(`Say which ${command.takes}: ${usageOf(name, command)}`)
  if (words.length > most) {
    refuse(`'${words[most]}' is too much: ${usageOf(name, command)}`)
  }
  return { words, flags }
}

/** @param {string} name @param {Command} command @param {string[]} args */
function read(name, { flags = {} }, args) {
  const options = /** @type {import('node:util').ParseArgsOptionsConfig} */ ({})
  for (const [flag, about] of Object.entries(flags))
    options[flag] = { type: takesValue(about) ? 'string' : 'boolean' }
  const help = `npm run ${name} -- --help says what there is.`
  for (const flag of Object.keys(flags)) {
    // A flag without `--` before it is kept by npm, and the command would run without it.
    if (process.env[`npm_config_${flag.replaceAll('-', '_')}`] === undefined) continue
    if (flag !== 'yes') refuse(`npm kept --${flag}: write npm run ${name} -- --${flag}`)
  }
  const { tokens } = parseArgs({ args, options, strict: false, tokens: true })
  const words = /** @type {string[]} */ ([])
  const found = /** @type {Record<string, string | true>} */ ({})
  for (const token of tokens) {
    if (token.kind === 'positional') words.push(token.value)
    if (token.kind !== 'option') continue
    const about = flags[token.name]
    if (!about) return refuse(`There is no ${token.rawName}: ${help}`)
    if (takesValue(about) && !token.value) {
      refuse(`${token.rawName} wants a ${about[0]}: ${help}`)
    }
    if (!takesValue(about) && token.value !== undefined) {
      refuse(`${token.rawName} takes nothing: ${help}`)
    }
    found[token.name] = token.value ?? true
  }
  return { words, flags: found }
}

/** @param {string | readonly [string, string]} about @returns {about is readonly [string, string]} */
const takesValue = (about) => typeof about !== 'string'

/** @param {string | undefined} takes @returns {[least: number, most: number]} */
function countOf(takes = '') {
  const words = takes.split(' ').filter(Boolean)
  const least = words.filter((word) => word.startsWith('<')).length
  return [least, takes.includes('…') ? Infinity : words.length]
}

/** @param {string} name @param {Command} command */
function usageOf(name, { takes = '', flags }) {
  const words = [takes, ...(flags ? ['[flags]'] : [])].filter(Boolean).join(' ')
  return `npm run ${name}${words ? ` -- ${words}` : ''}`
}

/** @param {string} name @param {Command} command */
function helpOf(name, command) {
  const flags = Object.entries(command.flags ?? {}).map(([flag, about]) => {
    const [value, words] = takesValue(about) ? [` <${about[0]}>`, about[1]] : ['', about]
    return `  --${flag}${value}  ${words}`
  })
  return [usageOf(name, command), command.about, ...flags].join('\n')
}

const isHelp = (/** @type {string} */ word) => ['--help', '-h'].includes(word)

const listed = () => Object.entries(commands).filter(([, { unlisted }]) => !unlisted)
const names = () =>
  listed()
    .map(([name]) => name)
    .join(', ')

function overview() {
  const lines = listed().map(([name, { about }]) => `  npm run ${name.padEnd(14)} ${about}`)
  return [...lines, 'With -- --help behind it, each says what it takes.'].join('\n')
}

/** @param {string} sentence @returns {never} */
function refuse(sentence) {
  console.error(sentence)
  process.exit(1)
}
