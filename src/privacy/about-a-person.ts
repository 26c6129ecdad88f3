// All data about a person: each with why it is kept, for how long, and what erasure does with it.
// The export, docs/privacy.md and the fence that nothing is forgotten are made from this list.
import { of_account } from './about-an-account.ts'
import { of_claims, type DataEntry } from './about-claims.ts'

const of_family: readonly DataEntry[] = [
  {
    name: 'dependents',
    title: 'Family members covered by the Solidarity money',
    why: 'To know who is covered on which day.',
    kept: 'As long as the account; ended cover stays for claims of its days.',
    erased: 'Names go; of the date of birth only the year stays, with the amounts.',
    tables: ['dependents'],
    query: `select full_name, relationship, born_on, covered_from, covered_to, status, added_at,
      approval, ended_at, ended_by_hr, decline_reason from dependents
      where person_id = $1 order by added_at, id`,
  },
  {
    name: 'dependent_history',
    title: 'What became of each family member’s cover',
    why: 'So that you and HR can see who decided what, and when.',
    kept: 'As long as the account.',
    erased: 'Removed.',
    tables: ['dependent_events'],
    query: `select d.full_name, e.at, e.by_role, e.event, e.day from dependent_events e
      join dependents d on d.company_id = e.company_id and d.id = e.dependent_id
      where d.person_id = $1 and e.undone_at is null order by e.at, e.id`,
  },
  {
    name: 'health_check_bookings',
    title: 'Health checks that were booked',
    why: 'To keep a place for you and to remind you of it.',
    kept: 'As long as the account.',
    erased: 'Those to come are cancelled, then all are removed.',
    tables: ['check_bookings'],
    query: `select p.name as provider, p.offers, p.place, b.starts_at, s.minutes, b.status,
      b.cancelled_side, b.cancel_reason, b.code, b.booked_at, b.changed_at, b.reminded_at
      from check_bookings b join check_slots s on s.id = b.slot_id
      join check_providers p on p.id = s.provider_id
      where b.person_id = $1 order by b.starts_at, b.id`,
  },
]

const of_work: readonly DataEntry[] = [
  {
    name: 'absences',
    title: 'Days on which an admin is away, and their deputy',
    why: 'So that work reaches somebody who is there.',
    kept: 'As long as the account.',
    erased: 'Removed.',
    tables: ['absences'],
    query: `select from_on, to_on, created_at, person_id = $1 as own, deputy_id = $1 as as_deputy
      from absences where person_id = $1 or deputy_id = $1 order by from_on, id`,
  },
  {
    name: 'saved_views',
    title: 'Views of pages that you saved',
    why: 'To open a list again as you had filtered it.',
    kept: 'As long as the account, or until you remove them.',
    erased: 'Removed, and so are others’ views of your claims.',
    tables: ['saved_views'],
    query: `select page, name, filters, shared, created_at from saved_views
      where person_id = $1 order by created_at, id`,
  },
  {
    name: 'rights',
    title: 'What you may do for your company, since when and until when',
    why: 'So that only the right people see and decide other people’s matters.',
    kept: 'As long as the account.',
    erased: 'Ended; that there was one stays.',
    tables: ['company_rights'],
    query: `select kind as right, begins_at, ends_at, given_at, confirmed_at, ended_at
      from company_rights where person_id = $1 order by given_at, kind`,
  },
]

const of_connections: readonly DataEntry[] = [
  {
    name: 'identity_provider',
    title: 'What your company’s identity provider calls you, and its groups you are in',
    why: 'So that both mean the same person.',
    kept: 'As long as the account; what it asked to be changed, {scim_calls}.',
    erased: 'Removed.',
    tables: ['scim_people', 'scim_members', 'scim_groups'],
    query: `select s.user_name, s.external_id, s.full_name, s.given_name, s.family_name, s.formatted,
      s.email_type, s.email_first, s.phone_type, s.phone_first, s.department,
      s.personnel_number, s.phone, s.left_on, s.hr_left_on, s.hr_joined_on, s.changed_at, s.deleted_at,
      array(select g.display_name from scim_members m
        join scim_groups g on g.company_id = m.company_id and g.id = m.group_id
        where m.company_id = s.company_id and m.person_id = s.person_id
        order by g.display_name) as groups from scim_people s where s.person_id = $1`,
  },
]

const of_money: readonly DataEntry[] = [
  {
    name: 'balances',
    title: 'Health money: what is where',
    why: 'To pay what you claim, and no more than there is.',
    kept: 'Ten years after the plan year, as books must be.',
    erased: 'Amounts stay without the person: they belong to “Former member”.',
    tables: ['accounts'],
    query: `select a.plan_year, a.kind, a.category, a.balance_cents, c.currency from accounts a
      join companies c on c.id = a.company_id where a.person_id = $1 order by a.plan_year, a.id`,
  },
  {
    name: 'grants',
    title: 'What each plan year gave',
    why: 'To work out what you are due by the plan, your days and your family.',
    kept: 'Ten years after the plan year, as books must be.',
    erased: 'Amounts stay without the person and their group.',
    tables: ['grants'],
    query: `select g.plan_year, g.category, g.due_cents, g.granted_cents, g.carried_cents,
      g.adjusted_cents, c.currency, g.dependents,
      g.covered_from, g.covered_to, g.plan_group from grants g
      join companies c on c.id = g.company_id where g.person_id = $1
      order by g.plan_year, g.category`,
  },
  {
    name: 'balance_adjustments',
    title: 'What your company adjusted of your balances, and why',
    why: 'So that two people answer for each change.',
    kept: 'Ten years after the plan year, as books must be.',
    erased: 'Amounts stay without the person; the reason goes.',
    tables: ['balance_adjustments'],
    query: `select b.plan_year, b.category, b.cents, c.currency, b.reason, b.status, b.proposed_at,
      b.decided_at from balance_adjustments b
      join companies c on c.id = b.company_id where b.person_id = $1 order by b.proposed_at, b.id`,
  },
  {
    name: 'transfers',
    title: 'Health money: each movement',
    why: 'The ledger: how every balance came about, provably.',
    kept: 'Ten years after the plan year, as books must be; it is sealed and can’t be edited.',
    erased: 'Amounts stay without the person.',
    tables: ['transfers'],
    query: `select t.id, t.posted_at, t.occurred_on, t.plan_year, t.event, f.category,
      f.kind as moved_from, o.kind as moved_to, t.amount_cents, c.currency, t.note from transfers t
      join accounts f on f.company_id = t.company_id and f.plan_year = t.plan_year
        and f.id = t.from_account
      join accounts o on o.company_id = t.company_id and o.plan_year = t.plan_year
        and o.id = t.to_account
      join companies c on c.id = t.company_id where t.person_id = $1 order by t.id`,
  },
  {
    name: 'fund_alerts',
    title: 'Notices that a category is running low',
    why: 'So that each is sent once.',
    kept: 'As long as the plan year.',
    erased: 'Removed.',
    tables: ['fund_alerts'],
    query: `select f.plan_year, f.category, f.percent, f.balance_cents, c.currency, f.at, f.notified_at
      from fund_alerts f
      join companies c on c.id = f.company_id where f.person_id = $1 order by f.at, f.id`,
  },
]

const of_the_record: readonly DataEntry[] = [
  {
    name: 'changes_about_you',
    title: 'The record of changes: what was changed about you, by whom',
    why: 'So that nobody changes anything unseen.',
    kept: '{record}; its entries are sealed into a chain.',
    erased: 'The values go; that something changed, and when, stays in its place in the chain.',
    tables: ['audit_log'],
    query: `select l.at, l.act, l.table_name, l.before, case when l.table_name = 'payment_blocks' and exists (
        select from payment_blocks b where b.id::text = l.row_id and b.person_id = $1 and b.removed_at is null)
        then l.after - 'reason' else l.after end as after, l.actor_role,
      case when l.actor_id = $1 then 'you' else a.full_name end as changed_by
      from private.entries_about($1) e (id) join audit_log l on l.id = e.id
      left join profiles a on a.id = l.actor_id order by l.id`,
  },
  {
    name: 'changes_by_you',
    title: 'The record of changes: what you changed',
    why: 'So that nobody changes anything unseen.',
    kept: '{record}; its entries are sealed into a chain.',
    erased: 'Stays under a number, without a name; the network address goes.',
    tables: ['audit_log'],
    query: `select at, act, table_name, row_id, address from audit_log where actor_id = $1 order by id`,
  },
  {
    name: 'notes_about_you',
    title: 'Notes of your HR about you',
    why: 'So that all admins of your company know what one of them knows. Only they read them.',
    kept: 'As long as the account, or until an admin removes them.',
    erased: 'Removed.',
    tables: ['person_notes'],
    query: `select n.written_at, n.text, p.full_name as written_by from person_notes n
      left join profiles p on p.id = n.written_by where n.person_id = $1 order by n.written_at, n.id`,
  },
  {
    name: 'groups',
    title: 'Groups of employees you were picked for',
    why: 'To apply the rules that your company has for some of its people.',
    kept: 'As long as the account, or until HR takes you out.',
    erased: 'Removed.',
    tables: ['employee_group_people'],
    query: `select m.added_at, g.name as group_name from employee_group_people m
      join employee_groups g on g.company_id = m.company_id and g.id = m.group_id
      where m.person_id = $1 order by m.added_at, m.group_id`,
  },
  {
    name: 'exports',
    title: 'Exports of your data',
    why: 'To give you this file, and to show you when it was fetched.',
    kept: '{exports}.',
    erased: 'Removed, with their files.',
    tables: ['data_exports', 'data_export_parts'],
    query: `select requested_at, status, made_at, expires_at, size_bytes, downloads, downloaded_at
      from data_exports where person_id = $1 order by requested_at`,
  },
  {
    name: 'erasure_requests',
    title: 'Requests for erasure',
    why: 'To decide on them, and to be able to show that it was done.',
    kept: 'Ten years.',
    erased:
      'That it was asked, decided and done stays; your reason goes, and so does why one was refused.',
    tables: ['erasures'],
    query: `select requested_at, status, reason, hr_at, provider_at, refusal, refused_side, ended_at
      from erasures where person_id = $1 order by requested_at`,
  },
]

export const about_a_person: readonly DataEntry[] = [
  ...of_account,
  ...of_family,
  ...of_work,
  ...of_connections,
  ...of_money,
  ...of_claims,
  ...of_the_record,
]

/** Tables that name people but are in none of these lists, each with its reason. */
export const left_out: Readonly<Record<string, string>> = {
  'auth.challenges': 'codes on their way for minutes, by hash; gone after a day',
  'auth.one_time_tokens': 'mailed links by hash, gone a day after their hour',
  'auth.amr_claims': 'how a session was verified; shown with the session',
  'auth.sso_codes': 'a sign-in by the company’s provider on its way, by hash; gone after a day',
  'auth.sso_sessions': 'which session of the company’s provider a session came from; goes with it',
  'private.forgetting': 'the addresses of an erasure under way, gone when it is done',
  companies: 'names who founded it; the company’s own, and the record tells it',
  identity_providers:
    'names the admin whose password still works; the company’s own, and the record tells it',
  answered_requests: 'copies of answers for a retry, gone after {answers}',
  mail_paces: 'when a person was last mailed, for half an hour; removed with them',
  company_accounts: 'the company’s own account, nobody’s',
  imports: 'names who in HR sent an employee file; shown among the changes they made',
  import_rows: 'the row behind the profile in HR’s file; gone after {file_rows}, erased with them',
  people_sources:
    'names who in HR set where a list of employees is fetched from; shown among the changes they made',
  report_schedules: 'which of the provider’s staff is mailed which report; removed with them',
  reports: 'names who of the provider’s staff asked for a report',
  inquiries:
    'messages of visitors, who need no account; those from the person’s address are erased with them',
}
