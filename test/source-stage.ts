// A company whose list of employees is fetched, and what a worker does when its hour has come.
import { takeFetched } from '#employees/imports/receiving.server.ts'
import { workOnImport } from '#employees/jobs.server.ts'
import { fetchPeople, type Take } from '#connections/sources/jobs.server.ts'
import { fundedCompany, type ClaimsStage } from './claims-stage.ts'
import { own_certificate, type Served } from './file-servers.ts'
import { csvOf, entryOf } from './list-stage.ts'
import type { Company, Scene } from './scene.ts'

/** As a worker does it, and then what the file asks for. */
export async function fetchNow(
  stage: ClaimsStage,
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
  const file: Served = { bytes: Buffer.from(csvOf(entries)) }
  return { stage, admin, api: admin.api.sources, entries, file }
}

export const wish = (url: string, more = {}) => ({
  url,
  login: 'hr',
  secret_kind: 'password' as const,
  secret: 'right',
  hour: 5,
  applies: 'ask' as const,
  ...more,
})

/** The notifications of its admin about it. */
export const told = async ({ admin }: Company) => {
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
