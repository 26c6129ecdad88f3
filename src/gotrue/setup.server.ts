// The first super admin of an installation: made once, by whoever reads what the server printed.
import { randomBytes, randomUUID } from 'node:crypto'
import { z } from 'zod'
import { Problem } from '#problems.ts'
import { record } from './audit.server.ts'
import { openAuth } from './auth.server.ts'
import { readEmail } from './body.server.ts'
import { hashPassword, refuseTooLong, rulesOf, weaknessOf } from './passwords.server.ts'
import { sha256 } from './secrets.server.ts'
import type { AuthOptions } from './settings.server.ts'
import { setPassword } from './user.server.ts'
import { confirmEmail, findByEmail, insertUser, lockUser } from './users.server.ts'
import { Name } from '#lib/one-line.ts'

type Setup = { token: string; full_name: string; email: string; password: string }

/** The link to print, or nothing once somebody runs the installation. The newest one counts. */
export async function setupLink(options: AuthOptions): Promise<string | undefined> {
  const { sql, settings, at } = openAuth(options)
  const [found] = await sql<{ done: boolean }[]>`select auth.has_super_admin() as done`
  if (found?.done) return undefined
  const token = randomBytes(32).toString('base64url')
  // Several servers may start together, and each prints its own: the last few all work, once.
  await sql.begin(async (tx) => {
    await tx`insert into auth.setup_links (token_hash, created_at) values (${sha256(token)}, ${at()})`
    await tx`delete from auth.setup_links where token_hash not in (
      select token_hash from auth.setup_links order by created_at desc limit 5)`
  })
  return `${settings.site_url}/auth/setup?token=${token}`
}

/** Whether a link still makes the first super admin. */
async function isSetupOpen(options: AuthOptions, token: string): Promise<boolean> {
  const [found] = await openAuth(options).sql<{ open: boolean }[]>`
    select exists (select from auth.setup_links where token_hash = ${sha256(token)})
      and not auth.has_super_admin() as open`
  return found?.open ?? false
}

export async function completeSetup(options: AuthOptions, setup: Setup): Promise<void> {
  const auth = openAuth(options)
  const { token, password } = setup
  const links = await auth.sql`select from auth.setup_links where token_hash = ${sha256(token)}`
  if (links.length === 0) throw new Problem('not_found')
  const { email, full_name } = readSetup(setup)
  await refuseUnfit(() => weaknessOf(auth, password, [email, full_name]), password)
  const password_hash = await hashPassword(auth, password)
  await auth.sql.begin(async (tx) => {
    const id = randomUUID()
    const known = { sub: id, email, email_verified: true, phone_verified: false, full_name }
    await insertUser(auth, tx, {
      id,
      aud: 'authenticated',
      email,
      user_metadata: { ...known, role: 'super_admin' },
      identity_data: known,
    })
    // The operator may have signed up before: that account becomes theirs, and nobody else's.
    const user = await findByEmail(tx, email, 'authenticated')
    if (!user || !(await lockUser(tx, user.id))) throw new Problem('unavailable')
    const [made] = await tx<{ done: boolean }[]>`
      select auth.make_first_super_admin(${user.id}, ${full_name}) as done`
    if (!made?.done) throw new Problem('not_found')
    await setPassword(auth, tx, user.id, password_hash)
    await tx`delete from auth.sessions where user_id = ${user.id}`
    await tx`delete from auth.factors where user_id = ${user.id}`
    await confirmEmail(auth, tx, user.id)
    await record({ auth, tx, c: undefined }, 'user_signedup', user, {
      rules: rulesOf(auth),
      by: 'setup',
    })
  })
}

const SetupPerson = z.object({ full_name: Name, email: z.string() })

function readSetup(setup: Setup) {
  const person = SetupPerson.safeParse(setup)
  if (!person.success) {
    throw new Problem('invalid_input', { fields: z.flattenError(person.error).fieldErrors })
  }
  try {
    return { ...person.data, email: readEmail(setup.email.trim()) }
  } catch {
    throw new Problem('invalid_input', { fields: { email: ['Enter a valid email address'] } })
  }
}

async function refuseUnfit(
  judge: () => Promise<{ message: string } | undefined>,
  password: string,
) {
  try {
    refuseTooLong(password)
  } catch {
    throw new Problem('invalid_input', { fields: { password: ['This password is too long'] } })
  }
  const weakness = await judge()
  if (weakness) throw new Problem('invalid_input', { fields: { password: [weakness.message] } })
}

export const setup = (options: AuthOptions) => ({
  setupLink: () => setupLink(options),
  isSetupOpen: (token: string) => isSetupOpen(options, token),
  completeSetup: (values: Setup) => completeSetup(options, values),
})
