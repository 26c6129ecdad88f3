-- What visitors write to the provider, and whether this installation is a demo.

create table leads (
  id          uuid primary key default gen_random_uuid(),
  full_name   text not null check (length(full_name) between 2 and 100),
  email       text not null check (length(email) between 3 and 255),
  company     text not null check (length(company) between 2 and 100),
  people      integer not null check (people between 1 and 10000000),
  message     text not null check (length(message) between 10 and 4000),
  suspect     boolean not null default false,
  received_at timestamptz not null default now(),
  answered_at timestamptz,
  answered_by uuid references profiles on delete set null
);
comment on table leads is 'Messages of the contact page. Read by the provider alone, gone after a year; what a machine seems to have sent after a month.';
create index leads_by_age on leads (received_at, id);
create index leads_by_sender on leads (lower(email), received_at);

alter table leads enable row level security;
create policy the_providers on leads for select using ((select actor_role()) = 'super_admin');
create policy the_provider_answers on leads for update using ((select actor_role()) = 'super_admin');
create policy the_provider_removes on leads for delete using ((select actor_role()) = 'super_admin');
grant select, update (answered_at, answered_by), delete on leads to healthfund_request;
create trigger audit after insert or update or delete on leads
  for each row execute function audited('full_name', 'email', 'company', 'people', 'message');

-- Anybody may write: three messages of one address in a day, and the same one only once. The provider is
-- told of the first twenty in an hour; more than that is a flood, which the page shows, but no bell rings.
create function leave_lead(full_name text, email text, company text, people integer, message text,
  suspect boolean) returns void
language plpgsql security definer set search_path = public, pg_catalog as $$
declare
  sender text := lower(leave_lead.email);
  sent integer;
  lately integer;
begin
  perform pg_advisory_xact_lock(hashtextextended('lead ' || sender, 0));
  if exists (select from leads l where lower(l.email) = sender
      and l.received_at > now() - interval '1 day' and l.message = leave_lead.message) then
    return;
  end if;
  select count(*) into sent from leads l
    where lower(l.email) = sender and l.received_at > now() - interval '1 day';
  if sent >= 3 then raise exception 'too_many_messages' using errcode = 'HF422'; end if;
  insert into leads (full_name, email, company, people, message, suspect)
    values (leave_lead.full_name, leave_lead.email, leave_lead.company, leave_lead.people,
      leave_lead.message, leave_lead.suspect);
  perform tell('supers');
  if suspect then return; end if;
  select count(*) into lately from leads l
    where l.received_at > now() - interval '1 hour' and not l.suspect;
  if lately > 20 then return; end if;
  perform notify_person(p.id, 'account', left('New inquiry from ' || leave_lead.company, 120),
      format('%s, %s people, wrote on the contact page.', leave_lead.full_name,
        to_char(leave_lead.people, 'FM999,999,999')), '/dashboard/inquiries')
    from profiles p where p.role = 'super_admin' and p.status = 'active';
end $$;
revoke execute on function leave_lead(text, text, text, integer, text, boolean) from public;
grant execute on function leave_lead(text, text, text, integer, text, boolean) to healthfund_request;

-- A demo world that was made to its end, and who enters it. Without a row there is none.
create table demo_world (
  one         boolean primary key default true check (one),
  made_for    date not null,
  finished_at timestamptz,
  logins      jsonb not null
);
comment on table demo_world is 'Whether this database holds the demo world, the day it was made for, and the logins that everybody may know.';
alter table demo_world enable row level security;
create policy open_to_all on demo_world for select using (true);
grant select on demo_world to healthfund_request;
