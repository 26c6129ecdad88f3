// How lately the person of a session proved who they are, and what that lets them do without another proof.
import type { Auth, Db } from './auth.server.ts'
import type { Bearer } from './bearer.server.ts'
import { AuthFailure } from './failure.server.ts'

/** The same five minutes as `private.refuse_unless_fresh` has for the acts of the product. */
const FRESH_SECONDS = 5 * 60
/** Long enough to choose a password after a link, or to set up a second step right after signing up. */
const BY_LINK_SECONDS = 900
const links = ['otp', 'magiclink', 'recovery']

type Proofs = {
  /** Proven by the password or at their company's provider, within minutes. */
  fresh: boolean
  /** Proven at the provider, within minutes. */
  fresh_by_sso: boolean
  /** Proven by a mailed link or code, within minutes, and no password was set since. */
  fresh_by_link: boolean
  /** Proven by a mailed link or code, whenever that was. */
  by_link: boolean
}
const none: Proofs = { fresh: false, fresh_by_sso: false, fresh_by_link: false, by_link: false }

export async function proofsOf(auth: Auth, db: Db, { session }: Bearer): Promise<Proofs> {
  if (!session) return none
  const lately = auth.at(-FRESH_SECONDS)
  const [found] = await db<Proofs[]>`
    with c as (select max(at) filter (where method = 'password') as password_at,
        max(at) filter (where method like 'sso/%') as sso_at,
        max(at) filter (where method = any (${links})) as link_at
      from auth.amr_claims where session_id = ${session.id})
    select coalesce(greatest(password_at, sso_at) > ${lately}, false) as fresh,
        coalesce(sso_at > ${lately}, false) as fresh_by_sso,
        coalesce(link_at > ${auth.at(-BY_LINK_SECONDS)}
          and (password_at < link_at) is not false, false) as fresh_by_link,
        link_at is not null as by_link
      from c`
  return found ?? none
}

/** A session left open is not enough for what would lock its owner out. */
export async function refuseUnlessFresh(auth: Auth, db: Db, bearer: Bearer) {
  const { fresh, fresh_by_link } = await proofsOf(auth, db, bearer)
  if (fresh || fresh_by_link) return
  throw reauthenticationNeeded('Confirm your password, or sign in again, before you change this')
}

export const isFresh = (auth: Auth, proven_at: string) =>
  Date.parse(proven_at) > auth.now().getTime() - FRESH_SECONDS * 1000

export const reauthenticationNeeded = (message: string) =>
  new AuthFailure(400, 'reauthentication_needed', message)
