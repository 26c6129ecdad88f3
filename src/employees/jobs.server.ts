// What is done later with files of people: taken in batches, taken back, written to.
import { z } from 'zod'
import type { Task } from '#lib/jobs.server.ts'

const batch_people = 1000
const letters_at_once = 20

const Job = z.object({ company_id: z.uuid(), id: z.uuid() })

/** Each batch is a transaction: what is killed goes on where it stood. */
export const workOnImport: Task = async (input, { sql, ending }) => {
  const { company_id, id } = Job.parse(input)
  for (;;) {
    if (ending?.aborted) break
    const [done] = await sql<[{ more: boolean }]>`
      select private.take_batch(${company_id}, ${id}, ${batch_people})
        or private.give_back_batch(${company_id}, ${id}, ${batch_people}) as more`
    if (!done.more) return
  }
  await sql`select private.work_on(${company_id}, ${id})`
}

type Inviter = { company: string | null; by: string | null }
export type Invite = (
  person_id: string,
  letter: 'invite' | 'set_password',
  from: Inviter,
) => Promise<void>

/**
 * A few hundred mails, then the next job: nobody else's work waits behind a hundred thousand. They are marked once
 * they are written: whoever is killed in between writes to a few of them again, and forgets nobody.
 */
export const inviteImported =
  (invite: Invite): Task =>
  async (input, { sql, ending }) => {
    const { company_id, id } = Job.parse(input)
    const [from] = await sql<[Inviter]>`
      select c.name as company, p.full_name as by from imports i join companies c on c.id = i.company_id
        left join profiles p on p.id = i.started_by
      where i.company_id = ${company_id} and i.id = ${id}`
    for (let round = 0; round < 25; round += 1) {
      if (ending?.aborted) break
      const next = await sql<{ person_id: string; line: number }[]>`
        select * from private.next_to_invite(${company_id}, ${id}, ${letters_at_once})`
      for (const { person_id } of next) await invite(person_id, 'invite', from)
      const people = next.map(({ person_id }) => person_id)
      await sql`select private.invited(${company_id}, ${id}, ${people}::uuid[],
        ${next.at(-1)?.line ?? null})`
      if (next.length === 0) return
    }
    await sql`select private.invite_for(${company_id}, ${id})`
  }

const Invitation = z.object({
  ids: z.array(z.uuid()),
  letter: z.enum(['invite', 'set_password']),
  by: z.uuid().nullish(),
})

export const invitePeople =
  (invite: Invite): Task =>
  async (input, { sql }) => {
    const { ids, letter, by = null } = Invitation.parse(input)
    const there = await sql<({ id: string } & Inviter)[]>`
      select p.id, c.name as company, b.full_name as by from profiles p
        left join companies c on c.id = p.company_id left join profiles b on b.id = ${by}
      where p.id = any (${ids}::uuid[])`
    for (const { id, company, by: who } of there) await invite(id, letter, { company, by: who })
  }

/** By the clock: leavers leave, and what stands still goes on. */
export const keepPeople: Task = async (_, { sql }) => {
  await sql`select private.see_leavers_off(), private.resume_imports()`
}
