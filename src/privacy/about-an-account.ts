// Data about a person: who they are, and how they sign in. Secrets are never given out.
import type { DataEntry } from './about-claims.ts'

export const of_account: readonly DataEntry[] = [
  {
    name: 'profile',
    title: 'Who you are',
    why: 'To know who gets health money from the company.',
    kept: 'As long as the account; after leaving until the last claim of your days is settled.',
    erased:
      'Name, email, phone, department and personnel number go; “Former member” stays for the ledger.',
    tables: ['profiles'],
    single: true,
    query: `select p.full_name, p.email, p.phone, p.department, p.personnel_number, p.role, p.account_state, c.name as company,
      p.requested_company, p.joined_on, p.left_on, p.left_set_on, p.created_at, p.invited_at, p.requested_at,
      p.confirmed_at from profiles p left join companies c on c.id = p.company_id where p.id = $1`,
  },
  {
    name: 'account',
    title: 'How you sign in',
    why: 'So that nobody else does.',
    kept: 'As long as the account.',
    erased: 'Emptied: nobody can sign in, the address is free for a new account.',
    tables: ['auth.users'],
    single: true,
    query: `select email, phone, email_confirmed_at, created_at, updated_at, invited_at,
      last_sign_in_at, two_step, email_change, password_hash is not null as has_password,
      raw_user_meta_data as told_at_sign_up from auth.users where id = $1`,
  },
  {
    name: 'sign_in_names',
    title: 'What the account is known by',
    why: 'To find your account when you sign in.',
    kept: 'As long as the account.',
    erased: 'Removed.',
    tables: ['auth.identities'],
    query: `select provider, identity_data, last_sign_in_at, created_at from auth.identities
      where user_id = $1 order by created_at, id`,
  },
  {
    name: 'second_steps',
    title: 'Second steps at sign-in',
    why: 'So that a password alone is not enough.',
    kept: 'Until you remove them.',
    erased: 'Removed.',
    tables: ['auth.factors'],
    query: `select factor_type, friendly_name, status, phone, created_at, last_challenged_at
      from auth.factors where user_id = $1 order by created_at, id`,
  },
  {
    name: 'sessions',
    title: 'Where you are signed in',
    why: 'To keep you signed in, and to let you end it.',
    kept: 'Until you sign out.',
    erased: 'Ended at once and removed.',
    tables: ['auth.sessions'],
    query: `select user_agent, address, aal, created_at, refreshed_at from auth.sessions
      where user_id = $1 order by created_at, id`,
  },
  {
    name: 'account_history',
    title: 'What happened to the account',
    why: 'To find out about break-ins. Admins of a company see each other’s sign-ins.',
    kept: '{sign_ins}.',
    erased: 'Name and address go.',
    tables: ['auth.audit_log_entries'],
    query: `select at, action, address, traits from auth.audit_log_entries
      where actor_id = $1 order by id`,
  },
  {
    name: 'notifications',
    title: 'Notifications to you',
    why: 'So that you can read it again.',
    kept: '{notifications}.',
    erased: 'Removed.',
    tables: ['notifications'],
    query: `select at, kind, code, facts, path, read_at from notifications
      where person_id = $1 order by id`,
  },
  {
    name: 'mails',
    title: 'Mails on their way to you',
    why: 'To send them.',
    kept: 'Until they are sent; {mails} where no mail server is set.',
    erased: 'Removed.',
    tables: ['mails'],
    query: `select m.at, m.subject from mails m where m.person_id = $1 order by m.id`,
  },
  {
    name: 'preferences',
    title: 'Which mails you want',
    why: 'To send those and no others.',
    kept: 'As long as the account.',
    erased: 'Removed.',
    tables: ['preferences'],
    single: true,
    query: `select email_notifications, claim_updates, fund_alerts, health_tips from preferences
      where person_id = $1`,
  },
  {
    name: 'devices',
    title: 'From which kinds of program you signed in',
    why: 'To tell you when a new one does.',
    kept: 'As long as the account.',
    erased: 'Removed.',
    tables: ['auth.devices'],
    query: `select name, seen_at from auth.devices where user_id = $1 order by seen_at, name`,
  },
]
