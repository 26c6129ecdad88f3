-- Places at health checks: booked, moved, cancelled.

-- Why an act may not be done to a provider, a slot or a booking as it is now; null where it may.
create or replace function check_provider_refusal(act text, closed_at timestamptz) returns text
language sql immutable
return case
  when act = 'reopen' and closed_at is null then 'provider_open'
  when act in ('add_slots', 'reopen_slot', 'close') and closed_at is not null
    then 'provider_closed' end;

create or replace function check_provider_refusals(closed_at timestamptz) returns json
language sql immutable
return json_build_object('add_slots', check_provider_refusal('add_slots', closed_at),
  'close', check_provider_refusal('close', closed_at),
  'reopen', check_provider_refusal('reopen', closed_at));

create or replace function slot_refusal(act text, s check_slots) returns text
language sql stable
return case
  when act in ('book', 'keep', 'close') and s.closed_at is not null then 'slot_closed'
  when act = 'reopen' and s.closed_at is null then 'slot_open'
  when s.starts_at <= now() then 'slot_in_the_past'
  when act = 'book' and s.taken >= s.capacity then 'slot_full' end;

-- People may move and cancel their booking until it begins.
create or replace function booking_refusal(status text, starts_at timestamptz) returns text
language sql stable
return case when status <> 'booked' then 'booking_cancelled'
  when starts_at <= now() then 'check_has_begun' end;

-- Why nobody whose last day this is comes to a check on such a day; of today: why they book none.
create or replace function check_day_refusal(day date, left_on date) returns text
language sql immutable
return case when is_after_last_day(day, left_on) then 'after_your_last_day' end;

-- Why a time that was closed can't be opened again; null where it can.
create or replace function reopening_refusal(slot uuid) returns text
language sql stable
return (select
    coalesce(slot_refusal('reopen', s), check_provider_refusal('reopen_slot', p.closed_at))
  from check_slots s join check_providers p on p.id = s.provider_id where s.id = slot);

create or replace function private.place_slot() returns trigger
language plpgsql security definer set search_path = public, pg_catalog, pg_temp as $$
declare p check_providers;
begin
  select * into strict p from check_providers where id = new.provider_id for key share;
  perform private.refuse(coalesce(check_provider_refusal('add_slots', p.closed_at),
    slot_refusal('add', new)));
  new.day := (new.starts_at at time zone p.time_zone)::date;
  return new;
end $$;
create or replace trigger place_slot before insert on check_slots for each row
  execute function private.place_slot();

create or replace function private.refuse_time_zone_change() returns trigger
language plpgsql security definer set search_path = public, pg_catalog, pg_temp as $$
begin
  if exists (select from check_slots s where s.provider_id = new.id) then
    perform private.refuse('provider_has_slots');
  end if;
  return new;
end $$;
create or replace trigger keep_time_zone before update of time_zone on check_providers for each row
  when (new.time_zone <> old.time_zone) execute function private.refuse_time_zone_change();

-- Six letters and figures that nobody mistakes for another.
create or replace function private.booking_code() returns text
language sql volatile
return (select string_agg(substr('ACDEFGHJKMNPQRTUVWXY34679', 1 + get_byte(u.bytes, i) % 25, 1), '')
  from (select uuid_send(gen_random_uuid()) as bytes) u, generate_series(0, 5) i);

-- The moment as the provider's wall clock says it, for people to read.
create or replace function private.check_facts(slot check_slots) returns jsonb
language sql stable
return (select jsonb_build_object('starts_at', slot.starts_at, 'time_zone', p.time_zone)
  from check_providers p where p.id = slot.provider_id);

create or replace function private.publish_slot(slot check_slots) returns void
language sql
begin atomic
  select publish(case when slot.company_id is null then 'supers'
    else 'admins:' || slot.company_id end);
end;

-- Takes one place of a slot that the person may come to. If many come at once, a constraint decides
-- whether there is one left.
create or replace function private.take_place(slot uuid) returns check_slots
language plpgsql set search_path = public, pg_catalog, pg_temp as $$
declare
  s check_slots;
  p profiles;
begin
  select * into s from check_slots x where x.id = slot
    and (x.company_id is null or x.company_id = actor_company());
  if not found then perform private.refuse('not_found'); end if;
  perform private.refuse(slot_refusal('book', s));
  select * into strict p from profiles where id = actor_id();
  perform private.refuse(check_day_refusal(s.day, p.left_on));
  update check_slots x set taken = x.taken + 1 where x.id = slot returning * into s;
  perform private.refuse(slot_refusal('keep', s)), -- closed in the moment in between
    private.publish_slot(s);
  return s;
end $$;

create or replace function book_check(slot uuid) returns uuid
language plpgsql security definer set search_path = public, pg_catalog, pg_temp as $$
declare
  s check_slots;
  made uuid;
begin
  perform private.require_role('employee');
  s := private.take_place(slot);
  insert into check_bookings (company_id, person_id, slot_id, day, starts_at, code)
    values (actor_company(), actor_id(), s.id, s.day, s.starts_at, private.booking_code())
    returning id into made;
  perform notify_person(actor_id(), 'check_booked', private.check_facts(s), made::text);
  return made;
end $$;

-- A booking of the person that is still to come. Its slots are locked first, by id, as everybody
-- does.
create or replace function private.lock_booking(booking uuid, other_slot uuid)
  returns check_bookings
language plpgsql set search_path = public, pg_catalog, pg_temp as $$
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
  if not found then perform private.refuse('not_found'); end if;
  if b.slot_id <> of_slot then raise exception 'moved meanwhile' using errcode = '40001'; end if;
  perform private.refuse(booking_refusal(b.status, b.starts_at));
  return b;
end $$;

create or replace function move_check(booking uuid, slot uuid) returns void
language plpgsql security definer set search_path = public, pg_catalog, pg_temp as $$
declare
  b check_bookings := private.lock_booking(booking, slot);
  s check_slots;
begin
  if b.slot_id = slot then perform private.refuse('already_booked_here'); end if;
  s := private.take_place(slot);
  update check_slots x set taken = x.taken - 1 where x.id = b.slot_id;
  update check_bookings x set slot_id = s.id, day = s.day, starts_at = s.starts_at,
      sequence = x.sequence + 1, changed_at = now(), reminded_at = null
    where x.company_id = b.company_id and x.id = b.id;
  perform private.publish_slot(x) from check_slots x where x.id = b.slot_id;
  perform notify_person(b.person_id, 'check_moved', private.check_facts(s), b.id::text);
end $$;

-- Notifies people who are expected there that the place has changed; their calendars take it as an
-- update.
create or replace function private.notify_of_place() returns trigger
language plpgsql security definer set search_path = public, pg_catalog, pg_temp as $$
declare expected record;
begin
  for expected in
    select b.company_id, b.id, b.person_id, s as slot from check_slots s
      join check_bookings b on b.slot_id = s.id and b.status = 'booked' and b.starts_at > now()
      where s.provider_id = new.id order by b.id for no key update of b
  loop
    update check_bookings b set sequence = b.sequence + 1, changed_at = now()
      where b.company_id = expected.company_id and b.id = expected.id;
    perform notify_person(expected.person_id, 'check_place_changed',
      private.check_facts(expected.slot), expected.id::text);
  end loop;
  return null;
end $$;
create or replace trigger place_changed after update of place on check_providers for each row
  when (new.place <> old.place) execute function private.notify_of_place();

-- Cancels bookings whose slots are locked, and says so.
create or replace function private.cancel_bookings(ids uuid[], cancelled_side text, reason text)
  returns integer
language plpgsql set search_path = public, pg_catalog, pg_temp as $$
declare
  gone record;
  cancelled integer := 0;
begin
  for gone in
    update check_bookings b set status = 'cancelled',
        cancelled_side = cancel_bookings.cancelled_side,
        cancel_reason = reason, sequence = b.sequence + 1, changed_at = now()
      from check_slots s where b.id = any (ids) and b.status = 'booked' and s.id = b.slot_id
      returning b.id, b.person_id, s as slot
  loop
    update check_slots s set taken = s.taken - 1 where s.id = (gone.slot).id;
    perform private.publish_slot(gone.slot), notify_person(gone.person_id, 'check_cancelled',
      private.check_facts(gone.slot) || jsonb_strip_nulls(jsonb_build_object(
        'by', cancelled_side, 'left_on', (select p.left_on from profiles p
          where p.id = gone.person_id and p.status = 'active'
            and is_after_last_day((gone.slot).day, p.left_on)))),
      gone.id::text);
    cancelled := cancelled + 1;
  end loop;
  return cancelled;
end $$;

create or replace function cancel_check(booking uuid) returns void
language plpgsql security definer set search_path = public, pg_catalog, pg_temp as $$
begin
  perform private.cancel_bookings(array[(private.lock_booking(booking, null)).id], 'person', null);
end $$;

grant execute on function check_provider_refusal, check_provider_refusals, slot_refusal,
  check_day_refusal, reopening_refusal, booking_refusal, book_check, move_check, cancel_check
  to healthfund_request;
