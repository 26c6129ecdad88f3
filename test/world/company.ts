// A company with money, people and receipts, for stories about claims.
import { createHash, randomBytes } from 'node:crypto'
import type { Category } from '#categories.ts'
import { compareAgain, reconsider } from '#claims/jobs.server.ts'
import { plain_step, type ApprovalStep } from '#claims/policies/steps.contract.ts'
import { claimFaults } from './claims.ts'
import { beginYearAgo, fund, spread } from './money.ts'
import { aKey, type Company, type Person } from './people.ts'
import type { Scene } from './scene.ts'

export async function todayOf({ sql }: Pick<Scene, 'sql'>, { id }: { id: string }) {
  const [row] = await sql<[{ today: string }]>`select company_today(${id}) as today`
  return row.today
}

/** The arguments of an approval: a claim's own amount is the amount claimed. */
export const approvalOf = ({ id, version }: { id: number; version: number }) => ({ id, version })

/** A policy's steps: any reviewer, and above an amount another one as well. */
export const secondAbove = (above_cents: number): ApprovalStep[] => [
  plain_step,
  { ...plain_step, above_cents },
]

type ReadFields = {
  amount_cents?: number | null
  on?: string | null
  provider?: string | null
  state?: 'waiting' | 'reading' | 'read' | 'unreadable'
  /** The same bytes make the same file. */
  bytes?: string
}

type ClaimInput = {
  category?: Category
  amount_cents?: number
  bill_cents?: number
  service_on?: string
  provider?: string
  receipt_ids?: string[]
  dependent_id?: string
  note?: string
  lines?: { what: string; amount_cents: number }[]
  type_id?: string
}

type Funding = {
  people?: number
  spot_check?: number
  /** How many days ago its plan year began: half a year, whatever day it is. */
  began?: number
}

/** An active company whose pools cover everybody; nobody is drawn for a spot check unless it says so. */
export async function fundedCompany(scene: Scene, funding: Funding = {}) {
  const { people = 50, spot_check = 0, began = 180 } = funding
  const provider = await scene.superAdmin()
  const company = await scene.company()
  const each = 10_000_000 * people
  const { funds } = company.admin.api
  await beginYearAgo(scene.sql, company.id, began)
  await funds.change_plan({ ...(await funds.plan({})), ...spread(200_000, 700_000, 100_000) })
  const plan_year = await fund(provider, company, spread(each, each, each))
  await scene.sql`update claim_policies set spot_check_percent = ${spot_check}
    where company_id = ${company.id}`
  const today = await todayOf(scene, company)
  return new FundedCompany(scene, company, provider, plan_year, today)
}

export class FundedCompany {
  readonly scene: Scene
  readonly company: Company
  readonly provider: Person
  readonly plan_year: string
  readonly today: string
  #types = new Map<string, string>()

  constructor(scene: Scene, company: Company, provider: Person, plan_year: string, today: string) {
    this.scene = scene
    this.company = company
    this.provider = provider
    this.plan_year = plan_year
    this.today = today
  }

  get id() {
    return this.company.id
  }

  /** Somebody who has been here since the year began. */
  async hire(name?: string): Promise<Person> {
    const person = await this.company.hire(name)
    await this.scene.sql`
      update profiles set joined_on = ${this.plan_year} where id = ${person.id}`
    return person
  }

  admin = (name: string): Promise<Person> => this.company.appoint(name)

  async typeOf(category: Category): Promise<string> {
    if (this.#types.size === 0) {
      const types = await this.scene.sql<{ id: string; category: string }[]>`
        select distinct on (category) id, category from claim_types
        where company_id = ${this.id} order by category, name`
      this.#types = new Map(types.map(({ id, category: of }) => [of, id]))
    }
    return this.#types.get(category)!
  }

  /** A receipt as it lies there once it was uploaded and read. */
  async receipt(person: Person, read: ReadFields = {}): Promise<string> {
    const sha256 = createHash('sha256')
      .update(read.bytes ?? randomBytes(16))
      .digest()
    await this.scene.sql`
      insert into private.file_keys (wrapped_key) values ('') on conflict do nothing`
    const [row] = await this.scene.sql<[{ id: string }]>`
      insert into receipts (company_id, person_id, file_name, media_type, size_bytes, sha256, pages,
        width, height, storage_key, file_key, wrapped_key, parts, read_state, read_amount_cents, read_on,
        read_provider)
      values (${this.id}, ${person.id}, 'receipt.pdf', 'application/pdf', 1000, ${sha256}, 1, 100, 100,
        ${randomBytes(8).toString('hex')},
        (select id from private.file_keys where retired_at is null), '', '{}', ${read.state ?? 'read'},
        ${read.amount_cents ?? null}, ${read.on ?? null}, ${read.provider ?? null})
      returning id`
    return row.id
  }

  async draft(input: ClaimInput = {}) {
    const { category = 'prevention', amount_cents = 4000 } = input
    return {
      category,
      type_id: input.type_id ?? (await this.typeOf(category)),
      provider: input.provider ?? 'Harbour Clinic',
      service_on: input.service_on ?? this.today,
      bill_cents: input.bill_cents ?? amount_cents,
      amount_cents,
      receipt_ids: input.receipt_ids ?? [],
      ...(input.dependent_id ? { dependent_id: input.dependent_id } : {}),
      ...(input.note ? { note: input.note } : {}),
      ...(input.lines ? { lines: input.lines } : {}),
    }
  }

  /** Claims; with a receipt that nobody could read, unless receipts are named. */
  async claim(person: Person, input: ClaimInput = {}) {
    const receipt_ids = input.receipt_ids ?? [await this.receipt(person, { state: 'unreadable' })]
    const draft = await this.draft({ ...input, receipt_ids })
    return person.api.claims.submit(draft, { idempotency_key: aKey() })
  }

  /** Claims with a receipt that says just the same. */
  async agreeing(person: Person, input: ClaimInput = {}) {
    const draft = await this.draft(input)
    const receipt = await this.receipt(person, {
      amount_cents: draft.bill_cents,
      on: draft.service_on,
      provider: draft.provider,
    })
    return person.api.claims.submit({ ...draft, receipt_ids: [receipt] })
  }

  /** Does what a worker would: second looks that acts asked for. */
  async evaluateAgain() {
    const tasks = { 'claims:reconsider': reconsider, 'claims:compare': compareAgain }
    const jobs = await this.scene.sql<
      { identifier: keyof typeof tasks; payload: Record<string, unknown> }[]
    >`
      delete from graphile_worker._private_jobs j using graphile_worker._private_tasks t
      where t.id = j.task_id and t.identifier = any (${Object.keys(tasks)})
      returning t.identifier, j.payload`
    for (const { identifier, payload } of jobs) {
      await tasks[identifier](payload, { sql: this.scene.sql, log: this.scene.services.log })
    }
  }

  /** Balances of one category by kind of account, of those through which money has gone. */
  async balances(person: Person, category: Category = 'prevention') {
    const found = await this.scene.sql<{ kind: string; cents: number }[]>`
      select kind, balance_cents as cents from accounts a
      where company_id = ${this.id} and person_id = ${person.id} and category = ${category}
        and exists (select from transfers t where t.company_id = a.company_id
          and a.id in (t.from_account, t.to_account))`
    return Object.fromEntries(found.map(({ kind, cents }) => [kind, cents]))
  }

  faults = () => claimFaults(this.scene.sql, this.id)
}
