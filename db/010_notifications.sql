-- What a person is told: a line under the bell; mail follows by what they chose.

create table notifications (
  person_id  uuid not null references profiles on delete cascade,
  id         bigint generated always as identity,
  kind       text not null check (kind in ('claims', 'funds', 'health', 'account')),
  title      text not null check (length(title) between 1 and 120),
  sentence   text not null check (length(sentence) <= 500),
  path       text not null check (path ~ '^/' and length(path) <= 300),
  at         timestamptz not null default now(),
  read_at    timestamptz,
  primary key (person_id, id)
);
comment on table notifications is 'What a person is told, newest last. Never health content: the sentence goes into mails.';
create index notifications_unread on notifications (person_id) where read_at is null;

alter table notifications enable row level security;
create policy your_own on notifications for select using (person_id = (select actor_id()));
create policy you_read_them on notifications for update using (person_id = (select actor_id()));
grant select, update (read_at) on notifications to healthfund_request;

-- Tells one person. An act tells people of its own company and the provider; the system tells anybody.
create function notify_person(person uuid, kind text, title text, sentence text, path text)
returns void language plpgsql security definer set search_path = public, pg_catalog as $$
begin
  insert into notifications (person_id, kind, title, sentence, path)
    select p.id, notify_person.kind, left(notify_person.title, 120), notify_person.sentence,
        notify_person.path
      from profiles p where p.id = person and (actor() = '' or actor_role() = 'super_admin'
        or p.role = 'super_admin' or p.company_id = actor_company());
  perform tell('person:' || person);
end $$;

-- Tells every active admin of a company, but not whoever did it.
create function notify_admins(company uuid, kind text, title text, sentence text, path text)
returns void language sql security definer set search_path = public, pg_catalog
begin atomic
  select notify_person(p.id, notify_admins.kind, notify_admins.title, notify_admins.sentence,
      notify_admins.path)
    from profiles p where p.company_id = company and p.role = 'company_admin' and p.status = 'active'
      and p.id is distinct from actor_id();
end;
revoke execute on function notify_person(uuid, text, text, text, text),
  notify_admins(uuid, text, text, text, text) from public;
grant execute on function notify_person(uuid, text, text, text, text),
  notify_admins(uuid, text, text, text, text) to healthfund_request;
