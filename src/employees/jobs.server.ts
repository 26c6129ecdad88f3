// Background work on employee files: imported in batches, undone, people emailed.
import { z } from 'zod'
import { categories, categoryNames } from '#categories.ts'
import { decimalsOf, formatOf } from '#lib/currencies.ts'
import type { SqlPart, Sql } from '#lib/db.server.ts'
import type { Task } from '#lib/jobs.server.ts'

const batch_people = 1000
const mails_at_once = 20

const ImportInput = z.object({ company_id: z.uuid(), id: z.uuid() })
const PersonInput = z.object({ person_id: z.uuid() })

export const notifyOfLastDay: Task = async (input, { sql }) => {
  const { person_id } = PersonInput.parse(input)
  await sql`select private.notify_of_last_day(${person_id})`
}

/** Each batch is a transaction: an import that was killed continues where it stopped. */
export const workOnImport: Task = async (input, { sql, ending }) => {
  const { company_id, id } = ImportInput.parse(input)
  for (;;) {
    if (ending?.aborted) break
    const [done] = await sql<[{ more: boolean }]>`
      select private.import_batch(${company_id}, ${id}, ${batch_people})
        or private.undo_batch(${company_id}, ${id}, ${batch_people}) as more`
    if (!done.more) return
  }
  await sql`select private.queue_import(${company_id}, ${id})`
}

type Inviter = { company: string | null; by: string | null; gives: string | null }
export type SendInvitation = (
  person_id: string,
  mail_kind: 'invite' | 'set_password',
  from: Inviter,
) => Promise<void>

/**
 * Sends a few hundred mails and queues the next job, so that no other work waits behind a hundred thousand. People are marked
 * after they were mailed: a killed job mails a few of them again, and forgets nobody. A suspended company mails nobody until it
 * is back.
 */
export const inviteImported =
  (invite: SendInvitation): Task =>
  async (input, { sql, ending }) => {
    const { company_id, id } = ImportInput.parse(input)
    for (let round = 0; round < 25; round += 1) {
      if (ending?.aborted) break
      const [started] = await sql<Omit<InviterRow, 'plan'>[]>`
        select c.name as company, p.full_name as by
        from imports i join companies c on c.id = i.company_id and c.status <> 'suspended'
          left join profiles p on p.id = i.started_by and i.started_by_key is null
        where i.company_id = ${company_id} and i.id = ${id}`
      if (!started) return
      const next = await sql<{ person_id: string; line: number; plan: InvitationPlan | null }[]>`
        select n.person_id, n.line, ${planOf(sql, sql`n.person_id`)}
        from private.next_to_invite(${company_id}, ${id}, ${mails_at_once}) n
        join companies c on c.id = ${company_id} order by n.line`
      for (const { person_id, plan } of next) {
        await invite(person_id, 'invite', inviterOf({ ...started, plan }))
      }
      const people = next.map(({ person_id }) => person_id)
      await sql`select private.note_invited(${company_id}, ${id}, ${people}::uuid[],
        ${next.at(-1)?.line ?? null})`
      if (next.length === 0) return
    }
    await sql`select private.invite_for(${company_id}, ${id})`
  }

type InvitationPlan = { currency: string; whole: boolean; cents: number[] }
type InviterRow = Omit<Inviter, 'gives'> & { plan: InvitationPlan | null }

/** The grants of a person in the current plan year, by the plan that counts for them; for active companies only. */
const planOf = (sql: Sql, person_id: SqlPart) => sql`
  (select json_build_object('currency', c.currency, 'whole', y.proration = 'full',
      'cents', json_build_array((o.plan).prevention_cents, (o.plan).treatment_cents,
        (o.plan).solidarity_cents))
    from plan_years y
    cross join private.person_plans(y, private.counting_plans(c.id, y.starts_on),
      array[${person_id}]) o
    where y.company_id = c.id and y.starts_on = current_plan_year(c.id)
      and c.status = 'active') as plan`

const inviterOf = ({ company, by, plan }: InviterRow): Inviter => ({
  company,
  by,
  gives: plan && company && givesOf(company, plan),
})

/** 'Aurora gives you €200.00 for Prevention, …': the plan’s amounts, nothing about anybody’s health. */
function givesOf(company: string, { currency, whole, cents }: InvitationPlan): string {
  const format = formatOf('en', currency)
  const amounts = categories.flatMap((category, at) => {
    const amount = cents[at] ?? 0
    const shown = format.format(amount / 10 ** decimalsOf(currency))
    return amount > 0 ? [`${shown} for ${categoryNames[category]}`] : []
  })
  if (amounts.length === 0) return ''
  const list = new Intl.ListFormat('en', { type: 'conjunction' }).format(amounts)
  return whole
    ? `${company} gives you ${list} each plan year.`
    : `${company} gives you ${list} each plan year; in your first one the share from your first day on.`
}

const Invitation = z.object({
  ids: z.array(z.uuid()),
  mail_kind: z.enum(['invite', 'set_password']),
  by: z.uuid().nullish(),
})

/** Mails to people of a suspended company wait until it is back, as nobody can enter it. */
export const invitePeople =
  (invite: SendInvitation): Task =>
  async (input, { sql }) => {
    const { ids, mail_kind, by = null } = Invitation.parse(input)
    const there = await sql<({ id: string; role: string; suspended: boolean } & InviterRow)[]>`
      select p.id, p.role, c.status is not distinct from 'suspended' as suspended,
        c.name as company, b.full_name as by, ${planOf(sql, sql`p.id`)} from profiles p
        left join companies c on c.id = p.company_id left join profiles b on b.id = ${by}
      where p.id = any (${ids}::uuid[])`
    for (const { id, role, suspended, ...known } of there) {
      if (suspended) {
        const again = JSON.stringify({ ids: [id], mail_kind, by })
        await sql`select add_job('users:invite', ${again}::json,
          run_at => now() + interval '1 hour')`
        continue
      }
      const from = inviterOf(role === 'employee' ? known : { ...known, plan: null })
      await invite(id, mail_kind, from)
    }
  }

/** Marks leavers whose last day has come and resumes imports that stand still. */
export const keepPeople: Task = async (_, { sql }) => {
  await sql`select private.mark_departed_employees(), private.resume_imports(), private.notify_of_absences(),
    private.end_rights()`
}
