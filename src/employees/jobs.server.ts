// What is done later with files of people: taken in batches, taken back, written to.
import { z } from 'zod'
import type { Task } from '#lib/jobs.server.ts'

const batch_people = 1000
const letters_at_once = 100

const Job = z.object({ company_id: z.uuid(), id: z.uuid() })

/** Each batch is a transaction: what is killed goes on where it stood. */
export const workOnImport: Task = async (input, { sql }) => {
  const { company_id, id } = Job.parse(input)
  for (;;) {
    const [done] = await sql<[{ more: boolean }]>`
      select wall.take_batch(${company_id}, ${id}, ${batch_people})
        or wall.give_back_batch(${company_id}, ${id}, ${batch_people}) as more`
    if (!done.more) return
  }
}

export type Invite = (person_id: string, letter: 'invite' | 'set_password') => Promise<void>

/** A few hundred mails, then the next job: nobody else's work waits behind a hundred thousand. */
export const inviteImported =
  (invite: Invite): Task =>
  async (input, { sql }) => {
    const { company_id, id } = Job.parse(input)
    for (let round = 0; round < 5; round += 1) {
      const [next] = await sql<[{ people: string[] }]>`
        select to_json(wall.next_to_invite(${company_id}, ${id}, ${letters_at_once})) as people`
      if (next.people.length === 0) return
      for (const person of next.people) await invite(person, 'invite')
      await sql`update profiles set invited_at = now() where id = any (${next.people}::uuid[])`
    }
    await sql`select wall.invite_for(${company_id}, ${id})`
  }

const Invitation = z.object({
  ids: z.array(z.uuid()),
  letter: z.enum(['invite', 'set_password']),
})

export const invitePeople =
  (invite: Invite): Task =>
  async (input, { sql }) => {
    const { ids, letter } = Invitation.parse(input)
    const there = await sql<{ id: string }[]>`
      select id from profiles where id = any (${ids}::uuid[])`
    for (const { id } of there) await invite(id, letter)
  }

/** By the clock: leavers leave, and what stands still goes on. */
export const keepPeople: Task = async (_, { sql }) => {
  await sql`select wall.see_leavers_off(), wall.resume_imports()`
}
