-- Health checks: who offers them, when, and who comes. Who booked what is the person's own affair
-- (docs/decisions/007-health-checks.md).

create table check_providers (
  id         uuid primary key default gen_random_uuid(),
  company_id uuid references companies on delete restrict,
  name       text not null check (length(name) between 2 and 100),
  offers     text not null check (length(offers) between 2 and 100),
  place      text not null check (length(place) between 2 and 200),
  note       text check (length(note) <= 500),
  time_zone  text not null,
  closed_at  timestamptz,
  version    integer not null default 1,
  created_at timestamptz not null default now()
);
comment on table check_providers is 'Who offers health checks: to all companies, set up by the platform (no company), or to one, set up by its HR.';
create index check_providers_of on check_providers (company_id, lower(name));

alter table check_providers enable row level security;
create policy open_to_you on check_providers for select using (
  company_id = (select actor_company())
  or company_id is null and (select actor_role()) in ('employee', 'super_admin'));
create policy you_set_up on check_providers for insert with check (
  (select actor_role()) = 'super_admin' and company_id is null
  or (select actor_role()) = 'company_admin' and company_id = (select actor_company()));
create policy you_change on check_providers for update using (
  (select actor_role()) = 'super_admin' and company_id is null
  or (select actor_role()) = 'company_admin' and company_id = (select actor_company()));
grant select, insert (company_id, name, offers, place, note, time_zone),
  update (name, offers, place, note, time_zone, closed_at, version) on check_providers to healthfund_request;
create trigger audit after insert or update or delete on check_providers
  for each row execute function audited('version');

create table check_slots (
  id           uuid primary key default gen_random_uuid(),
  company_id   uuid references companies on delete restrict,
  provider_id  uuid not null references check_providers on delete restrict,
  starts_at    timestamptz not null,
  minutes      smallint not null check (minutes between 5 and 480),
  day          date not null,
  capacity     smallint not null check (capacity between 1 and 500),
  taken        smallint not null default 0 check (taken >= 0),
  closed_at    timestamptz,
  close_reason text check (length(close_reason) <= 200),
  created_at   timestamptz not null default now(),
  constraint slot_full check (taken <= capacity),
  constraint slot_there_already unique (provider_id, starts_at)
);
comment on table check_slots is 'A time at which so many people can come. `taken` counts the bookings and never passes the capacity; `day` is the provider''s own calendar day.';
create index check_slots_by_day on check_slots (provider_id, day, starts_at);

alter table check_slots enable row level security;
create policy open_to_you on check_slots for select using (
  company_id = (select actor_company())
  or company_id is null and (select actor_role()) in ('employee', 'super_admin'));
create policy of_your_providers on check_slots for insert with check (
  exists (select from check_providers p where p.id = provider_id
    and p.company_id is not distinct from check_slots.company_id)
  and ((select actor_role()) = 'super_admin' and company_id is null
    or (select actor_role()) = 'company_admin' and company_id = (select actor_company())));
grant select, insert (company_id, provider_id, starts_at, minutes, capacity) on check_slots
  to healthfund_request;
-- Without `taken`: the history of a slot would tell who booked it.
create trigger audit after insert or update or delete on check_slots
  for each row execute function audited('taken');

create function wall.place_slot() returns trigger
language plpgsql security definer set search_path = public, pg_catalog as $$
declare p check_providers;
begin
  select * into strict p from check_providers where id = new.provider_id for key share;
  if p.closed_at is not null then raise exception 'provider_closed' using errcode = 'HF422'; end if;
  if new.starts_at <= now() then raise exception 'slot_in_the_past' using errcode = 'HF422'; end if;
  new.day := (new.starts_at at time zone p.time_zone)::date;
  return new;
end $$;
create trigger place_slot before insert on check_slots for each row execute function wall.place_slot();

create function wall.keep_time_zone() returns trigger
language plpgsql security definer set search_path = public, pg_catalog as $$
begin
  if exists (select from check_slots s where s.provider_id = new.id) then
    raise exception 'provider_has_slots' using errcode = 'HF422';
  end if;
  return new;
end $$;
create trigger keep_time_zone before update of time_zone on check_providers for each row
  when (new.time_zone <> old.time_zone) execute function wall.keep_time_zone();

create table check_bookings (
  company_id    uuid not null,
  id            uuid not null default gen_random_uuid(),
  person_id     uuid not null,
  slot_id       uuid not null references check_slots on delete restrict,
  day           date not null,
  starts_at     timestamptz not null,
  status        text not null default 'booked' check (status in ('booked', 'cancelled')),
  cancelled_by  text check (cancelled_by in ('person', 'provider', 'company')),
  cancel_reason text check (length(cancel_reason) <= 200),
  code          text not null,
  sequence      integer not null default 0,
  booked_at     timestamptz not null default now(),
  changed_at    timestamptz not null default now(),
  reminded_at   timestamptz,
  primary key (company_id, id),
  foreign key (company_id, person_id) references profiles (company_id, id) on delete restrict,
  check ((status = 'cancelled') = (cancelled_by is not null))
);
comment on table check_bookings is 'Who comes when. `code` is what a person says at the desk of a provider who is not told names; `sequence` counts the changes, for calendars.';
create unique index booked_that_day on check_bookings (company_id, person_id, day)
  where status = 'booked';
create index check_bookings_of on check_bookings (company_id, person_id, starts_at);
create index check_bookings_at on check_bookings (slot_id) where status = 'booked';
create index check_bookings_to_come on check_bookings (starts_at)
  where status = 'booked' and reminded_at is null;

alter table check_bookings enable row level security;
create policy your_own on check_bookings for select using (
  company_id = (select actor_company()) and person_id = (select actor_id()));
-- HR meets the people who come to what HR itself organises, and nobody else's.
create policy those_who_come_to_yours on check_bookings for select using (
  (select actor_role()) = 'company_admin' and company_id = (select actor_company())
  and exists (select from check_slots s where s.id = slot_id and s.company_id = (select actor_company())));
grant select on check_bookings to healthfund_request;

-- Six letters and figures that nobody mistakes for another.
create function wall.booking_code() returns text
language sql volatile set search_path = pg_catalog
return (select string_agg(substr('ACDEFGHJKMNPQRTUVWXY34679', 1 + get_byte(u.bytes, i) % 25, 1), '')
  from (select uuid_send(gen_random_uuid()) as bytes) u, generate_series(0, 5) i);

-- The moment as the provider's wall clock says it, for people to read.
create function wall.clock(slot check_slots) returns text
language sql stable set search_path = public, pg_catalog
return (select to_char(slot.starts_at at time zone p.time_zone, 'FMDD FMMonth YYYY, HH24:MI')
  from check_providers p where p.id = slot.provider_id);

create function wall.slot_changed(slot check_slots) returns void
language sql set search_path = public, pg_catalog
begin atomic
  select tell(case when slot.company_id is null then 'supers' else 'admins:' || slot.company_id end);
end;

-- Takes one place of a slot that the person may come to. That there is one is the constraint's to say.
create function wall.take_place(slot uuid) returns check_slots
language plpgsql set search_path = public, pg_catalog as $$
declare
  s check_slots;
  p profiles;
begin
  select * into s from check_slots x where x.id = slot
    and (x.company_id is null or x.company_id = actor_company());
  if not found then raise exception 'not_found' using errcode = 'HF422'; end if;
  if s.starts_at <= now() then raise exception 'slot_in_the_past' using errcode = 'HF422'; end if;
  if s.closed_at is not null then raise exception 'slot_closed' using errcode = 'HF422'; end if;
  select * into strict p from profiles where id = actor_id();
  if s.day > p.left_on then raise exception 'after_your_last_day' using errcode = 'HF422'; end if;
  update check_slots x set taken = x.taken + 1 where x.id = slot returning * into s;
  if s.closed_at is not null then -- in the moment in between
    raise exception 'slot_closed' using errcode = 'HF422';
  end if;
  perform wall.slot_changed(s);
  return s;
end $$;

create function book_check(slot uuid) returns uuid
language plpgsql security definer set search_path = public, pg_catalog as $$
declare
  s check_slots;
  made uuid;
begin
  if actor_role() <> 'employee' then raise exception 'forbidden' using errcode = 'HF422'; end if;
  s := wall.take_place(slot);
  insert into check_bookings (company_id, person_id, slot_id, day, starts_at, code)
    values (actor_company(), actor_id(), s.id, s.day, s.starts_at, wall.booking_code())
    returning id into made;
  perform notify_person(actor_id(), 'account', 'Your health check is booked',
    'You are expected on ' || wall.clock(s) || '.', '/dashboard/health-checks?booking=' || made);
  return made;
end $$;

-- A booking of the person that is still to come. Its slots are locked first, by id, as everybody does.
create function wall.hold_booking(booking uuid, other_slot uuid) returns check_bookings
language plpgsql set search_path = public, pg_catalog as $$
declare
  b check_bookings;
  of_slot uuid;
begin
  select x.slot_id into of_slot from check_bookings x
    where x.company_id = actor_company() and x.id = booking and x.person_id = actor_id();
  perform from check_slots s where s.id in (of_slot, other_slot) order by s.id for no key update;
  select * into b from check_bookings x
    where x.company_id = actor_company() and x.id = booking and x.person_id = actor_id()
    for no key update;
  if not found then raise exception 'not_found' using errcode = 'HF422'; end if;
  if b.slot_id <> of_slot then raise exception 'moved meanwhile' using errcode = '40001'; end if;
  if b.status <> 'booked' then raise exception 'booking_cancelled' using errcode = 'HF422'; end if;
  if b.starts_at <= now() then raise exception 'check_has_begun' using errcode = 'HF422'; end if;
  return b;
end $$;

create function move_check(booking uuid, slot uuid) returns void
language plpgsql security definer set search_path = public, pg_catalog as $$
declare
  b check_bookings := wall.hold_booking(booking, slot);
  s check_slots;
begin
  if b.slot_id = slot then raise exception 'booked_here_already' using errcode = 'HF422'; end if;
  s := wall.take_place(slot);
  update check_slots x set taken = x.taken - 1 where x.id = b.slot_id;
  update check_bookings x set slot_id = s.id, day = s.day, starts_at = s.starts_at,
      sequence = x.sequence + 1, changed_at = now(), reminded_at = null
    where x.company_id = b.company_id and x.id = b.id;
  perform wall.slot_changed(x) from check_slots x where x.id = b.slot_id;
  perform notify_person(b.person_id, 'account', 'Your health check is moved',
    'You are now expected on ' || wall.clock(s) || '.', '/dashboard/health-checks?booking=' || b.id);
end $$;

-- Cancels bookings whose slots are locked, and says so.
create function wall.cancel_bookings(ids uuid[], cancelled_by text, reason text) returns integer
language plpgsql set search_path = public, pg_catalog as $$
declare
  gone record;
  cancelled integer := 0;
begin
  for gone in
    update check_bookings b set status = 'cancelled', cancelled_by = cancel_bookings.cancelled_by,
        cancel_reason = reason, sequence = b.sequence + 1, changed_at = now()
      from check_slots s where b.id = any (ids) and b.status = 'booked' and s.id = b.slot_id
      returning b.id, b.person_id, s as slot
  loop
    update check_slots s set taken = s.taken - 1 where s.id = (gone.slot).id;
    perform wall.slot_changed(gone.slot), notify_person(gone.person_id, 'account',
      'Your health check is cancelled', concat_ws(' ', 'The time on', wall.clock(gone.slot),
        case cancelled_by when 'provider' then 'was cancelled by those who offer it.'
          when 'company' then 'was given free with the end of your access.'
          else 'is free for somebody else.' end),
      '/dashboard/health-checks?booking=' || gone.id);
    cancelled := cancelled + 1;
  end loop;
  return cancelled;
end $$;

create function cancel_check(booking uuid) returns void
language plpgsql security definer set search_path = public, pg_catalog as $$
begin
  perform wall.cancel_bookings(array[(wall.hold_booking(booking, null)).id], 'person', null);
end $$;
