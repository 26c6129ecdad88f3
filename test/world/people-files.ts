// A company whose people are kept by files: many of them, files as Excel writes them, and files that are fetched.
import writeXlsxFile from 'write-excel-file/node'
import { fetchPeople, type Take } from '#connections/sources/jobs.server.ts'
import type { Import } from '#employees/imports/imports.contract.ts'
import { takeFetched } from '#employees/imports/receiving.server.ts'
import { workOnImport } from '#employees/jobs.server.ts'
import { own_certificate, type Served } from '../file-servers.ts'
import { until } from '../until.ts'
import { fundedCompany, type FundedCompany } from './company.ts'
import type { Company, Person } from './people.ts'
import type { Scene } from './scene.ts'

export type Entry = {
  number: string
  first: string
  last: string
  email: string
  department: string
  joined: string
}

export const entryOf = (at: number, domain: string, joined: string): Entry => ({
  number: `P-${1000 + at}`,
  first: `Zoë ${at}`,
  last: 'Öztürk',
  email: `p${at}@${domain}`,
  department: ['Sales', 'Operations', 'Legal'][at % 3]!,
  joined,
})

const headings = ['Pers.-Nr.', 'Vorname', 'Name', 'E-Mail', 'Abteilung', 'Eintritt', 'Gehalt']

/** A workbook as an HR system writes it, with a column that the product does not know. */
export async function workbookOf(people: readonly Entry[]): Promise<Blob> {
  const cell = (value: string) => ({ value, type: String })
  const rows = people.map(({ number, first, last, email, department, joined }) => [
    ...[number, first, last, email, department].map(cell),
    { value: new Date(`${joined}T00:00:00Z`), type: Date, format: 'dd.mm.yyyy' },
    { value: 52_000, type: Number },
  ])
  const book = await writeXlsxFile([headings.map(cell), ...rows] as never).toBuffer()
  return new Blob([Uint8Array.from(book)])
}

export const asCsv = (people: readonly Entry[]) =>
  [
    headings.join(';'),
    ...people.map(({ number, first, last, email, department, joined }) => {
      const [year, month, day] = joined.split('-')
      return [number, first, last, email, department, `${day}.${month}.${year}`, '52000'].join(';')
    }),
  ].join('\r\n')

export const untilFinished = (admin: Person, id: string): Promise<Import> =>
  until(async () => {
    const found = await admin.api.imports.find({ id })
    return (found.status === 'done' || found.status === 'undone') && found
  }, 'the file is applied, or taken back')

export const compare = (by: Pick<Person, 'api'>, file: string | Blob | Uint8Array<ArrayBuffer>) =>
  by.api.imports.upload(
    { file_name: 'people.xlsx', full_list: 'true' },
    { file: file instanceof Blob ? file : new Blob([file]) },
  )

/** Adds people by such a file, who come in and have their money. */
export async function addPeopleByFile(stage: FundedCompany, count: number): Promise<Entry[]> {
  const { company, scene, plan_year } = stage
  const people = Array.from({ length: count }, (_, at) => entryOf(at, company.domain, plan_year))
  const { id } = await compare(company.admin, await workbookOf(people))
  await company.admin.api.imports.start({ id })
  await untilFinished(company.admin, id)
  // All in one statement: the funds follow in the background, as for a company that comes as a whole.
  await scene.sql`update profiles set status = 'active', confirmed_at = now() where id in (
    select person_id from import_rows where import_id = ${id} and finding = 'taken')`
  await untilGranted(stage, count)
  return people
}

/** Everybody has what they are due. */
export const untilGranted = (stage: FundedCompany, count: number) =>
  until(async () => {
    const [row] = await stage.scene.sql<[{ people: number }]>`
      select count(distinct person_id)::int as people from grants
      where company_id = ${stage.id} and granted_cents > 0`
    return row.people >= count
  }, 'everybody has their grants')

/** All rows of a company's people, to be compared with earlier ones. */
export const peopleRows = async ({ scene, id }: FundedCompany) => [
  ...(await scene.sql`
    select p.id, p.full_name, p.email, p.phone, p.department, p.personnel_number, p.joined_on::text,
      p.left_on::text, p.account_state,
      (select sum(a.balance_cents) from accounts a where a.company_id = p.company_id
        and a.person_id = p.id and a.kind = 'available')::text as available
    from profiles p where p.company_id = ${id} order by p.id`),
]

/** Fetches like a worker, and does the work that the file then needs. */
export async function fetchNow(
  stage: FundedCompany,
  allow = ['127.0.0.1'],
  ca = own_certificate,
  take: Take = takeFetched(stage.scene.services.workbooks),
) {
  const { services, sql } = stage.scene
  const tools = { sql, log: services.log }
  const { installation_key } = services
  await fetchPeople({ installation_key, allow, take, ca })({ company_id: stage.id }, tools)
  const { source } = await stage.company.admin.api.sources.find({})
  const last = source!.fetches[0]!
  if (last.import_id) await workOnImport({ company_id: stage.id, id: last.import_id }, tools)
  return last
}

export async function openSource(scene: Scene, people = 4) {
  const stage = await fundedCompany(scene)
  const { admin } = stage.company
  await scene.confirm(admin)
  const entries = Array.from({ length: people }, (_, at) =>
    entryOf(at, stage.company.domain, stage.plan_year),
  )
  const file: Served = { bytes: Buffer.from(asCsv(entries)) }
  return { stage, admin, api: admin.api.sources, entries, file }
}

export const sourceInput = (url: string, more = {}) => ({
  url,
  login: 'hr',
  secret_kind: 'password' as const,
  secret: 'right',
  hour: 5,
  applies: 'ask' as const,
  ...more,
})

/** The notifications of its admin about it. */
export const noticesFor = async ({ admin }: Company) => {
  const { notifications } = await admin.api.notifications.list({})
  return notifications.map(({ code }) => code).filter((code) => code.startsWith('people'))
}

/** Closes what was opened, after each test. */
export function serversOf() {
  const open: { close: () => Promise<void> }[] = []
  return {
    opened: async <Server extends { close: () => Promise<void> }>(server: Promise<Server>) => {
      const one = await server
      open.push(one)
      return one
    },
    closeAll: async () => void (await Promise.all(open.splice(0).map((one) => one.close()))),
  }
}
