// Workload `size`, only when it is named: so many people with a year behind them, in a folder that stays.
//   npm run bench -- size --people 1000000 --folder /somewhere/with/room
import { mkdir, readFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { parseArgs } from 'node:util'
import { verifyAll } from '#funds/ledger/verify.server.ts'
import { installationKey } from '#installation.server.ts'
import { readConfig } from '#lib/config.server.ts'
import { connect, databaseNamed, type Sql } from '#lib/db.server.ts'
import { startEmbedded } from '#lib/embedded.server.ts'
import { fileKeys } from '#lib/file-keys.server.ts'
import { migrate } from '#lib/migrate.server.ts'
import { compareActs, openCast } from './size/acts.ts'
import { load, settings_of_load } from './size/load.ts'
import { wrongCounts } from './size/proof.ts'
import { storage } from './size/storage.ts'
import { openPool, openServer } from './stage.ts'

const [small, proven] = [2000, 5]

export async function size(words: string[], seconds: number) {
  const text = { type: 'string' } as const
  const options = { people: text, folder: text }
  const { values } = parseArgs({ args: words, options, allowPositionals: true, strict: false })
  const people = Number(values.people ?? 5000)
  const folder = path.resolve(String(values.folder ?? path.join(tmpdir(), 'healthfund-size')))
  for (const many of new Set([small, people])) await loadOnce(folder, many, saying(many))
  const postgres = await startEmbedded({ folder: path.join(folder, 'postgres') })
  try {
    const worlds = [
      await open(postgres.url, folder, people),
      await open(postgres.url, folder, small),
    ] as const
    await prove(worlds[0].sql)
    await storage(worlds[0].sql)
    await compareActs(...worlds, seconds)
    await prove(worlds[0].sql)
    for (const { sql, place } of worlds) {
      place.stop()
      await sql.end()
    }
  } finally {
    await postgres.stop()
  }
}

const nameOf = (people: number) => `size_${people}`

function saying(people: number) {
  const began = performance.now()
  return (what: string) =>
    console.log(`  ${people} people, ${((performance.now() - began) / 1000).toFixed(0)} s: ${what}`)
}

/** A database of so many people in the folder: the one that is there, or a new one. */
export async function loadOnce(folder: string, people: number, say: (what: string) => void) {
  await mkdir(folder, { recursive: true, mode: 0o711 })
  const home = path.join(folder, 'postgres')
  const postgres = await startEmbedded({ folder: home, settings: settings_of_load })
  const owner = connect(postgres.url, { max: 1 })
  try {
    const name = nameOf(people)
    const [there] = await owner`select from pg_database where datname = ${name}`
    if (there) return
    const draft = `${name}_draft`
    await owner.unsafe(`drop database if exists ${draft} with (force)`)
    await owner.unsafe(`create database ${draft}`)
    const url = databaseNamed(postgres.url, draft)
    await migrate(url)
    await makeKeys(url, path.join(folder, name))
    await load(await asSuperuser(url, home), people, say)
    await owner.unsafe(`alter database ${draft} rename to ${name}`)
  } finally {
    await owner.end()
    await postgres.stop()
  }
}

async function asSuperuser(url: string, folder: string) {
  const own = new URL(url)
  own.username = 'postgres'
  own.password = (await readFile(path.join(folder, 'superuser-password'), 'utf8')).trim()
  return own.href
}

/** Makes the keys that a first start and a first receipt make. */
async function makeKeys(url: string, data_folder: string) {
  const sql = connect(url, { max: 1 })
  try {
    const config = readConfig({ DATABASE_URL: url, DATA_FOLDER: data_folder })
    await fileKeys(sql, await installationKey(sql, config)).newest()
  } finally {
    await sql.end()
  }
}

async function open(postgres: string, folder: string, people: number) {
  const url = databaseNamed(postgres, nameOf(people))
  const place = { url, ...(await openServer(url, path.join(folder, nameOf(people)))) }
  const sql = openPool(url, 2)
  return { place, sql, cast: await openCast(place, sql) }
}

/** That what was made is true: of some companies, and of what the acts have made of it. */
async function prove(sql: Sql) {
  const { good, sentence } = await verifyAll(sql, { some: proven })
  if (!good) throw new Error(sentence)
  const companies = await sql<
    { id: string }[]
  >`select id from companies order by random() limit ${proven}`
  for (const { id } of companies) {
    const [audit] = await sql<[{ fault: string | null }]>`select fault from verify_audit(${id})`
    const wrong = await wrongCounts(sql, id)
    if (audit.fault || wrong.length > 0)
      throw new Error(`${id}: ${audit.fault} ${wrong.join(', ')}`)
  }
  console.log(`  ${proven} companies at random: ${sentence}`)
}
