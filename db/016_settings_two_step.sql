-- A lost phone is survived by a code; what touches an account's security is told to its owner.

-- One more kind of factor: it stands in for the others and is never the only one.
alter table auth.factors drop constraint factors_factor_type_check, add constraint factors_factor_type_check
  check (factor_type in ('totp', 'phone', 'webauthn', 'recovery_code'));
create unique index one_set_of_recovery_codes on auth.factors (user_id)
  where factor_type = 'recovery_code';

create table auth.recovery_codes (
  factor_id uuid not null references auth.factors on delete cascade,
  code_hash bytea not null,
  used_at   timestamptz,
  primary key (factor_id, code_hash)
);
comment on table auth.recovery_codes is
  'Ten codes that stand in for the second step, each once, by keyed hash only. New ones replace all.';

create table auth.devices (
  user_id uuid not null references auth.users on delete cascade,
  name    text not null check (length(name) <= 60),
  seen_at timestamptz not null,
  primary key (user_id, name)
);
comment on table auth.devices is
  'From which kinds of program an account was signed in to, such as ''Firefox on Windows'': a new '
  'one is told to the owner.';

do $$
declare name text;
begin
  foreach name in array array['recovery_codes', 'devices'] loop
    execute format('alter table auth.%I enable row level security', name);
    execute format('create policy the_auth_service on auth.%I to healthfund_auth
      using (true) with check (true)', name);
    execute format('grant select, insert, update, delete on auth.%I to healthfund_auth', name);
  end loop;
end $$;

-- As in 002; with the last second step the codes that stood in for it go.
create or replace function auth.keep_two_step() returns trigger language plpgsql
set search_path = pg_catalog as $$
declare
  person uuid := coalesce(new.user_id, old.user_id);
  due boolean := exists (select from auth.factors f where f.user_id = person and f.status = 'verified'
    and f.factor_type <> 'recovery_code');
begin
  update auth.users u set two_step = due where u.id = person and u.two_step <> due;
  if not due then
    delete from auth.factors f where f.user_id = person and f.factor_type = 'recovery_code';
  end if;
  return null;
end $$;

-- A notice under the bell, for what the auth service does; it mails it itself, whatever the switches say.
create function auth.tell_owner(person uuid, title text, sentence text) returns void
language plpgsql security definer set search_path = public, pg_catalog as $$
begin
  insert into notifications (person_id, kind, title, sentence, path, mailed_at)
    select p.id, 'account', left(tell_owner.title, 120), left(tell_owner.sentence, 500),
        '/dashboard/settings#security', now()
      from profiles p where p.id = person;
  perform wall.tell_now('person:' || person);
end $$;
revoke execute on function auth.tell_owner(uuid, text, text) from public;
grant execute on function auth.tell_owner(uuid, text, text) to healthfund_auth;

-- Resetting somebody's second step is told to them as well: 003, with a notice that is mailed at once.
create or replace function reset_two_step(person uuid) returns void
language plpgsql security definer set search_path = public, pg_catalog as $$
begin
  if actor_role() <> 'super_admin' then raise exception 'forbidden' using errcode = 'HF422'; end if;
  perform wall.hold(person);
  delete from auth.factors where user_id = person;
  perform auth.end_sessions(array[person]);
  perform add_job('settings:notice', json_build_object('person_id', person, 'notice', 'two_step_reset'));
end $$;
