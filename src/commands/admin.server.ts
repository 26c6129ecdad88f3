// `npm run admin`: help by the machine's operator for people who can't help themselves any more. Each act is in the audit, ends
// the person's sessions, and is told to them.
import { initialPassword, makeAccount } from '#gotrue/accounts.server.ts'
import { openAuth } from '#gotrue/auth.server.ts'
import { clearOneTimes } from '#gotrue/one-time.server.ts'
import { hashPassword } from '#gotrue/passwords.server.ts'
import { openServices, type Services } from '#services.server.ts'
import type { Tx } from '#lib/db.server.ts'
import { z } from 'zod'
import { command, withDatabase } from './command.server.ts'

type FoundPerson = {
  id: string
  email: string
  company_id: string | null
  role: string
  status: string
}
type AdminInput = { services: Services; email: string; name: string | undefined }

const acts: Record<string, (input: AdminInput) => Promise<string>> = {
  'super-admin': makeSuperAdmin,
  'reset-two-step': ({ services, email }) =>
    change(services, email, 'second step removed', async (tx, { id }) => {
      await tx`delete from auth.factors where user_id = ${id}`
      await notify(tx, id, 'two_step_reset')
      return `${email} has no second step now.`
    }),
  'end-sessions': ({ services, email }) =>
    change(services, email, 'sessions ended', async () => `${email} is signed out everywhere.`),
  'set-password': ({ services, email }) => setPassword(services, email),
}

await command('admin', ({ config, words: [what = '', email = '', name] }) => {
  const act = acts[what]
  if (!act) throw new Error(`There is no admin ${what}: ${Object.keys(acts).join(', ')}.`)
  if (name && what !== 'super-admin') throw new Error(`admin ${what} takes an email address only.`)
  if (!z.email().safeParse(email.trim()).success) throw new Error(`${email} is no email address.`)
  return withDatabase(config, async (url) => {
    const services = await openServices(config, url, { visit: true })
    try {
      console.log(await act({ services, email: email.trim().toLowerCase(), name }))
    } finally {
      await services.close()
    }
  })
})

/** A change and its line in the audit are one transaction; afterwards the person signs in again. */
async function change(
  services: Services,
  email: string,
  what: string,
  act: (tx: Tx, person: FoundPerson) => Promise<string>,
): Promise<string> {
  return services.sql.owner.begin(async (tx) => {
    await tx`select set_config('app.address', 'npm run admin', true)`
    const [person] = await tx<FoundPerson[]>`
      select id, email, company_id, role, status from profiles where email = ${email} for update`
    if (!person) throw new Error(`Nobody here has the address ${email}.`)
    const done = await act(tx, person)
    await tx`select auth.end_sessions(array[${person.id}]::uuid[])`
    await tx`insert into audit_log (company_id, actor_role, address, act, table_name, row_id, after)
      select company_id, 'system', 'npm run admin', 'update', 'profiles', id::text,
        ${tx.json({ by_the_operator: what })} from profiles where id = ${person.id}`
    return done
  })
}

async function notify(tx: Tx, person_id: string, notice: string) {
  await tx`select add_job('settings:notice',
    json_build_object('person_id', ${person_id}::uuid, 'notice', ${notice}::text))`
}

/** Sets a password and prints it once; at the next sign-in another has to be chosen. */
async function setPassword(services: Services, email: string) {
  const password = initialPassword()
  const hash = await hashPassword(openAuth(services.auth_options), password)
  return change(services, email, 'password set', async (tx, { id }) => {
    await tx`update auth.users set password_hash = ${hash}, password_must_change = true,
      updated_at = now() where id = ${id}`
    await clearOneTimes(tx, id)
    await notify(tx, id, 'password_changed')
    return `${email} signs in with ${password} and chooses another one then.`
  })
}

/** Makes a person who is here a super admin; for anybody else an account is made. */
async function makeSuperAdmin({ services, email, name }: AdminInput): Promise<string> {
  const [known] = await services.sql.owner`select from profiles where email = ${email}`
  if (!known) {
    if (!name) throw new Error(`Nobody has the address ${email}. To make an account, add the name.`)
    const role = { role: 'super_admin', company_id: null, mail: 'none', confirmed: true } as const
    await makeAccount(services.auth_options, { email, full_name: name, ...role })
    await change(services, email, 'made a Super Admin', async () => '')
    return `${email} is a Super Admin. ${await setPassword(services, email)}`
  }
  return change(services, email, 'made a Super Admin', async (tx, { id, role, status }) => {
    if (role === 'super_admin' && status === 'active')
      throw new Error(`${email} is a Super Admin already.`)
    try {
      await tx`update profiles set role = 'super_admin', status = 'active', company_id = null
        where id = ${id}`
    } catch (error) {
      if ((error as { code?: string }).code !== '23503') throw error
      throw new Error(
        `${email} has a fund in a company, which must stay: give the role to another address.`,
        { cause: error },
      )
    }
    return `${email} is a Super Admin.`
  })
}
