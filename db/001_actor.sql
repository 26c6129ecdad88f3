-- Who is asking, what is written down of it, who is told.
-- The logins are made by the migrator before this file: `healthfund_request` asks for people and owns
-- nothing; `healthfund_auth` is the auth service and sees the schema `auth` alone.

revoke all on schema public from public;
grant usage on schema public to healthfund_request;

-- What no login but the owner may look at.
create schema wall;

-- One secret that seals the actor of a transaction, so that nobody becomes somebody by `set`.
create table wall.secret (
  secret bytea not null default
    sha256(convert_to(gen_random_uuid()::text || gen_random_uuid()::text, 'UTF8'))
);
comment on table wall.secret is 'Seals the actor of each transaction. One row, read by the owner''s functions alone.';
alter table wall.secret enable row level security;
insert into wall.secret default values;

create function wall.seal(actor text) returns text
language sql stable set search_path = pg_catalog
return encode(sha256((select secret from wall.secret) || convert_to(
  actor || pg_backend_pid() || extract(epoch from transaction_timestamp()), 'UTF8')), 'hex');

-- The actor of this transaction as 'role id company', or '' for nobody. `become` alone can set it.
create function actor() returns text
language plpgsql stable security definer set search_path = pg_catalog as $$
declare claimed text := coalesce(current_setting('app.actor', true), '');
begin
  if claimed <> '' and wall.seal(claimed) is distinct from current_setting('app.seal', true) then
    raise exception 'the actor of this transaction was not set by become()' using errcode = '42501';
  end if;
  return claimed;
end $$;

create function actor_role() returns text language sql stable
return split_part(actor(), ' ', 1);
create function actor_id() returns uuid language sql stable
return nullif(split_part(actor(), ' ', 2), '')::uuid;
create function actor_company() returns uuid language sql stable
return nullif(split_part(actor(), ' ', 3), '')::uuid;

create function wall.set_actor(role text, id uuid, company uuid) returns void
language plpgsql set search_path = pg_catalog as $$
declare actor text := concat_ws(' ', role, id, coalesce(company::text, ''));
begin
  perform set_config('app.actor', actor, true), set_config('app.seal', wall.seal(actor), true);
end $$;

-- Live screens: an act names who should look again; the server tells them once it has committed.
-- (Not NOTIFY here: its lock would let only one transaction commit at a time.)
create function tell(topic text) returns void language plpgsql as $$
declare told text := coalesce(current_setting('app.told', true), '');
begin
  if position(topic in told) = 0 then
    perform set_config('app.told', concat_ws(' ', nullif(told, ''), topic), true);
  end if;
end $$;

-- A job commits with the act that asked for it, or not at all. `key`: at most one waits under it.
create function add_job(task text, input json default '{}', key text default null,
  run_at timestamptz default null, queue text default null) returns void
language sql security definer set search_path = pg_catalog
begin atomic
  select graphile_worker.add_job(task, input, queue_name => queue, run_at => run_at, job_key => key);
end;

-- Every change of a row of the business: who, when, from where, what.
create table audit_log (
  id         bigint generated always as identity primary key,
  company_id uuid,
  at         timestamptz not null default now(),
  actor_id   uuid,
  actor_role text not null,
  address    text,
  request_id text,
  act        text not null check (act in ('insert', 'update', 'delete')),
  table_name text not null,
  row_id     text not null,
  before     jsonb,
  after      jsonb
);
comment on table audit_log is 'What changed, by whom, from where. Written by the trigger `audited` alone, never edited.';
create index audit_log_by_company on audit_log (company_id, id desc);
create index audit_log_by_row on audit_log (table_name, row_id, id desc);
alter table audit_log enable row level security;
create policy your_companys_history on audit_log for select using (
  (actor_role() = 'company_admin' and company_id = actor_company())
  or (actor_role() = 'super_admin' and company_id is null));
grant select on audit_log to healthfund_request;

-- Attached to each audited table; its arguments name columns whose content is nobody's business.
create function audited() returns trigger
language plpgsql security definer set search_path = public, pg_catalog as $$
declare
  was jsonb := case when tg_op <> 'INSERT' then to_jsonb(old) - coalesce(tg_argv::text[], '{}') end;
  now_is jsonb := case when tg_op <> 'DELETE' then to_jsonb(new) - coalesce(tg_argv::text[], '{}') end;
  whole jsonb := coalesce(now_is, was);
begin
  if tg_op = 'UPDATE' then
    select jsonb_object_agg(key, value) into now_is
      from jsonb_each(now_is) where value is distinct from was -> key;
    if now_is is null then return null; end if;
    select jsonb_object_agg(key, was -> key) into was from jsonb_object_keys(now_is) key;
  end if;
  insert into audit_log (company_id, actor_id, actor_role, address, request_id, act, table_name,
      row_id, before, after)
    values (case when tg_table_name = 'companies' then whole ->> 'id' else whole ->> 'company_id' end::uuid,
      actor_id(), coalesce(nullif(actor_role(), ''), 'system'),
      current_setting('app.address', true), current_setting('app.request', true),
      lower(tg_op), tg_table_name, coalesce(whole ->> 'id', ''), was, now_is);
  return null;
end $$;

-- Idempotency: a repeated request gets the answer of the first, and does nothing again.
create table answered_requests (
  person_id  uuid not null,
  key        text not null check (length(key) between 1 and 200),
  question   bytea not null,
  answer     jsonb not null,
  at         timestamptz not null default now(),
  primary key (person_id, key)
);
comment on table answered_requests is 'Answers kept for a day, so that a retry of the same request is the same act.';
create index answered_requests_by_age on answered_requests (at);
alter table answered_requests enable row level security;
create policy your_own on answered_requests using (person_id = actor_id());
grant select, insert on answered_requests to healthfund_request;

-- Every mail is a row of the act that caused it. With a mail server set a job sends it and forgets it;
-- without one the rows are the installation's own mailbox.
create table mails (
  id         bigint generated always as identity primary key,
  at         timestamptz not null default now(),
  recipient  text not null,
  subject    text not null,
  text       text not null,
  html       text not null
);
comment on table mails is 'Mails on their way: sent and forgotten by a job, or readable at /dev/mailbox.';
alter table mails enable row level security;

create function post_mail(recipient text, subject text, text text, html text, by_server boolean)
returns void language plpgsql security definer set search_path = public, pg_catalog as $$
declare mail bigint;
begin
  insert into mails (recipient, subject, text, html)
    values (post_mail.recipient, post_mail.subject, post_mail.text, post_mail.html)
    returning id into mail;
  if by_server then perform add_job('mail:send', json_build_object('id', mail)); end if;
end $$;
grant usage on schema public to healthfund_auth;
revoke execute on all functions in schema public from public;
grant execute on function post_mail to healthfund_request, healthfund_auth;
grant execute on function actor(), actor_role(), actor_id(), actor_company(), tell(text),
  add_job(text, json, text, timestamptz, text) to healthfund_request;
