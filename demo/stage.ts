// The world acts through the front door: the product's own client, with a session for each person.
import { randomBytes } from 'node:crypto'
import { openAuth } from '#gotrue/auth.server.ts'
import { anonAndServiceKeys } from '#gotrue/secrets.server.ts'
import { hashPassword } from '#gotrue/passwords.server.ts'
import { signAccessToken } from '#gotrue/tokens.server.ts'
import { setPassword } from '#gotrue/user.server.ts'
import { contracts, type Contracts } from '#contracts.ts'
import type { Services } from '#services.server.ts'
import { client, type Client } from '#lib/contract.ts'

export type Api = { [Feature in keyof Contracts]: Client<Contracts[Feature]> }
export type DemoStage = ReturnType<typeof openStage>

const origin = 'http://localhost'
/** So many are granted at once; more wait for a job. */
const most_at_once = 100
const already_done = [
  'users:invite',
  'imports:invite',
  'mail:send',
  'holidays:keep',
  'receipts:read',
]

export function openStage(services: Services, today: string) {
  const sql = services.sql.owner
  const auth = openAuth(services.auth_options)
  const known = new Map<string, Api>()

  /** Acts as this person from here on. */
  async function as(email: string): Promise<Api> {
    const before = known.get(email)
    if (before) return before
    const [session] = await sql<{ id: string; user_id: string }[]>`
      insert into auth.sessions (user_id, refresh_key, user_agent)
      select id, ${randomBytes(32)}, 'demo' from auth.users where email = ${email}
      returning id, user_id`
    if (!session) throw new Error(`The demo knows nobody at ${email}`)
    const now = Math.floor(Date.now() / 1000)
    const defaults = { phone: '', app_metadata: {}, user_metadata: {}, aal: 'aal1', amr: [] }
    const who = { sub: session.user_id, aud: 'authenticated', role: 'authenticated', email }
    const content = { ...defaults, ...who, session_id: session.id, is_anonymous: false }
    const { token } = await signAccessToken(auth, content, { issued_at: now, is_admin: false })
    const api = apiOf(services, token)
    known.set(email, api)
    return api
  }

  return {
    services,
    sql,
    today,
    as,

    /** The same, with the password given once more. */
    async asConfirmed(email: string): Promise<Api> {
      const api = await as(email)
      await sql`
        insert into auth.amr_claims (session_id, method, at)
        select s.id, 'password', now() from auth.sessions s join auth.users u on u.id = s.user_id
        where u.email = ${email} and s.user_agent = 'demo'
        on conflict (session_id, method) do update set at = excluded.at`
      return api
    },

    /** Confirms addresses, as if each person had followed the link of their invitation. */
    confirm: (emails: string[]) => sql`
      update auth.users set email_confirmed_at = now()
      where email = any (${emails}) and email_confirmed_at is null`,

    /** The same for invited employees, whom one by one would take a minute; each with an account to be paid to. */
    async settleIn(people: { email: string; iban: string | undefined }[]) {
      const emails = people.map(({ email }) => email)
      for (let at = 0; at < emails.length; at += most_at_once) {
        const some = emails.slice(at, at + most_at_once)
        await sql.begin(async (tx) => {
          await tx`alter table auth.users disable trigger account_changed`
          await tx`update auth.users set email_confirmed_at = now() where email = any (${some})`
          await tx`alter table auth.users enable trigger account_changed`
          await tx`
            update profiles set confirmed_at = now(), status = 'active'
            where email = any (${some}) and status = 'pending' and requested_at is null`
        })
      }
      await sql`
        insert into bank_accounts (company_id, person_id, holder, iban)
        select p.company_id, p.id, p.full_name, w.iban
        from json_to_recordset(${sql.json(people)}::json) as w (email text, iban text)
          join profiles p on p.email = w.email
        where w.iban is not null`
      if (emails.length < 50) return
      await sql`analyze auth.users, profiles, companies, grants, accounts, transfers, unsealed_transfers`
    },

    /** A sign-up whose address is confirmed. */
    async signUp(email: string, data: Record<string, string>) {
      const { service_key } = await anonAndServiceKeys(services.installation_key)
      const answer = await services.app.request('/auth/v1/admin/users', {
        method: 'POST',
        headers: { authorization: `Bearer ${service_key}` },
        body: JSON.stringify({ email, email_confirm: true, user_metadata: data }),
      })
      if (!answer.ok) throw new Error(`The demo could not be made: ${await answer.text()}`)
    },

    async givePassword(email: string, password: string) {
      const hash = await hashPassword(auth, password)
      const [user] = await sql<[{ id: string }]>`select id from auth.users where email = ${email}`
      await auth.sql.begin((tx) => setPassword(auth, tx, user.id, hash))
    },

    /**
     * The world's own sessions end, and nothing is done again: no invitation is mailed that nobody needs, and whoever
     * follows a mailed link is not taken for one who comes for the first time.
     */
    async close() {
      await sql`delete from auth.sessions where user_agent = 'demo'`
      await sql`
        update auth.identities i set identity_data = i.identity_data || '{"email_verified": true}'
        from auth.users u
        where u.id = i.user_id and i.provider = 'email' and u.email_confirmed_at is not null`
      await sql`
        delete from graphile_worker._private_jobs where task_id in (
          select id from graphile_worker._private_tasks where identifier = any (${already_done}))`
      await sql`delete from mails`
    },
  }
}

function apiOf(services: Services, token: string): Api {
  const send = async (request: Request) => {
    request.headers.set('authorization', `Bearer ${token}`)
    return services.app.request(request)
  }
  const clients = Object.entries(contracts).map(([feature, contract]) => [
    feature,
    client(contract, send, origin),
  ])
  return Object.fromEntries(clients) as Api
}
