// The record of what happened to accounts, written in the same transaction.
import type { Context } from 'hono'
import type { Auth, Db } from './auth.server.ts'
import type { Members } from './body.server.ts'

type AuditAction =
  | 'login'
  | 'logout'
  | 'user_signedup'
  | 'user_repeated_signup'
  | 'user_confirmation_requested'
  | 'user_invited'
  | 'user_recovery_requested'
  | 'user_reauthenticate_requested'
  | 'user_modified'
  | 'user_updated_password'
  | 'user_deleted'
  | 'token_refreshed'
  | 'token_revoked'
  | 'factor_in_progress'
  | 'challenge_created'
  | 'verification_attempted'
  | 'factor_unenrolled'
  | 'factor_deleted'

/** The transaction and the request of an act; a job has no request. */
export type AuthActContext = {
  auth: Auth
  tx: Db
  c: Context | undefined
  address?: string | undefined
}

/** `actor` is a person; without one it was an administrator or the product itself. */
export const record = (
  { auth, tx, c, address }: AuthActContext,
  action: AuditAction,
  actor: { id: string; email: string | null } | undefined,
  traits: Members = {},
) => tx`
  insert into auth.audit_log_entries (at, action, actor_id, actor_name, address, traits)
  values (${auth.at()}, ${action}, ${actor?.id ?? null}, ${actor?.email ?? 'service_role'},
    ${address ?? (c && auth.settings.client_address(c)) ?? null}, ${tx.json(traits)})`
