-- What needs somebody is read from the facts themselves, the oldest first, and never by reading all there is.
create type private.need as (kind text, items integer, number bigint, about_id uuid, thing_id uuid,
  version integer, cents bigint, since timestamptz, due_at timestamptz, path text);

create index claims_first_review on claims (company_id, id) where stage = 'first_review';
create index claims_second_review on claims (company_id, id) where stage = 'second_review';
create index claims_appealed on claims (company_id, id) where status = 'pending' and attempt > 1;
create index claims_to_pay_by_age on claims (company_id, reviewed_at) where payment in ('unpaid', 'returned');
create index pay_runs_made on pay_runs (company_id, id) where status = 'made';
create index accounts_overpaid on accounts (company_id, person_id) where kind = 'overpaid';
create index companies_pending on companies (created_at) where status = 'pending';
create index people_asking on profiles (company_id, asked_at) where standing = 'asking';
create index admins_asking on profiles (asked_at) where standing = 'asking' and role <> 'employee';
create index leads_open on leads (received_at) where answered_at is null and not suspect;

-- When it may be mailed: at once, or in the morning of its person's company.
alter table notifications add column mail_at timestamptz;
update notifications set mail_at = at where mailed_at is null;
create index notifications_due on notifications (mail_at) where mailed_at is null;
comment on column notifications.mail_at is 'From when on it may be mailed, as src/notifications/work.sql says; null where no mail is made of it.';
