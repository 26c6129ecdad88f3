-- The days of health checks: closed, listed, reminded of, and given free by who leaves.

-- The slot or slots of a provider that the actor set up, locked in the order in which everybody locks them.
create function wall.your_slots(ids uuid[]) returns setof check_slots
language sql set search_path = public, pg_catalog as $$
  select * from check_slots s where s.id = any (ids)
      and (actor_role() = 'super_admin' and s.company_id is null
        or actor_role() = 'company_admin' and s.company_id = actor_company())
    order by s.id for no key update
$$;

-- Nobody can come: who has booked is told why, and is free for another time. Answers how many were.
create function wall.close_slots(ids uuid[], reason text) returns integer
language plpgsql set search_path = public, pg_catalog as $$
declare slots uuid[] := array(select s.id from wall.your_slots(ids) s
  where s.closed_at is null and s.starts_at > now());
begin
  update check_slots set closed_at = now(), close_reason = reason where id = any (slots);
  return wall.cancel_bookings(array(select b.id from check_bookings b
    where b.slot_id = any (slots) and b.status = 'booked' order by b.id), 'provider', reason);
end $$;

create function close_slot(slot uuid, reason text) returns integer
language plpgsql security definer set search_path = public, pg_catalog as $$
declare s check_slots;
begin
  select * into s from wall.your_slots(array[slot]);
  if not found then raise exception 'not_found' using errcode = 'HF422'; end if;
  if s.closed_at is not null then raise exception 'slot_closed' using errcode = 'HF422'; end if;
  if s.starts_at <= now() then raise exception 'slot_in_the_past' using errcode = 'HF422'; end if;
  perform wall.slot_changed(s);
  return wall.close_slots(array[slot], reason);
end $$;

create function close_check_day(provider uuid, day date, reason text) returns integer
language plpgsql security definer set search_path = public, pg_catalog as $$
declare slots uuid[] := array(select s.id from check_slots s
  where s.provider_id = provider and s.day = close_check_day.day and s.closed_at is null
    and s.starts_at > now());
begin
  if not exists (select from wall.your_slots(slots)) then
    raise exception 'nothing_to_close' using errcode = 'HF422';
  end if;
  return wall.close_slots(slots, reason);
end $$;

create function reopen_slot(slot uuid) returns void
language plpgsql security definer set search_path = public, pg_catalog as $$
declare s check_slots;
begin
  select * into s from wall.your_slots(array[slot]);
  if not found then raise exception 'not_found' using errcode = 'HF422'; end if;
  if s.closed_at is null then raise exception 'slot_open' using errcode = 'HF422'; end if;
  if s.starts_at <= now() then raise exception 'slot_in_the_past' using errcode = 'HF422'; end if;
  if exists (select from check_providers p where p.id = s.provider_id and p.closed_at is not null) then
    raise exception 'provider_closed' using errcode = 'HF422';
  end if;
  update check_slots set closed_at = null, close_reason = null where id = slot;
  perform wall.slot_changed(s);
end $$;

create function close_provider(provider uuid, reason text) returns integer
language plpgsql security definer set search_path = public, pg_catalog as $$
declare p check_providers;
begin
  select * into p from check_providers x where x.id = provider
      and (actor_role() = 'super_admin' and x.company_id is null
        or actor_role() = 'company_admin' and x.company_id = actor_company())
    for update;
  if not found then raise exception 'not_found' using errcode = 'HF422'; end if;
  if p.closed_at is not null then raise exception 'provider_closed' using errcode = 'HF422'; end if;
  update check_providers set closed_at = now(), version = version + 1 where id = provider;
  return wall.close_slots(array(select s.id from check_slots s where s.provider_id = provider
    and s.closed_at is null and s.starts_at > now()), reason);
end $$;

-- Who comes to a provider of the platform on a day: the codes that they say at the desk, never their names.
create function day_codes(provider uuid, day date) returns table (slot_id uuid, code text)
language sql stable security definer set search_path = public, pg_catalog
begin atomic
  select b.slot_id, b.code from check_bookings b
    join check_slots s on s.id = b.slot_id
    where actor_role() = 'super_admin' and s.company_id is null and s.provider_id = provider
      and s.day = day_codes.day and b.status = 'booked'
    order by s.starts_at, b.code;
end;

-- Whoever leaves or is suspended gives their places free: somebody else may need them.
create function wall.free_places() returns trigger
language plpgsql security definer set search_path = public, pg_catalog as $$
declare ids uuid[] := array(
  select b.id from check_bookings b where b.company_id = new.company_id and b.person_id = new.id
    and b.status = 'booked' and b.starts_at > now()
    and (new.status = 'suspended' or b.day > new.left_on));
begin
  if cardinality(ids) > 0 then
    perform from check_slots s where s.id in (select b.slot_id from check_bookings b where b.id = any (ids))
      order by s.id for no key update;
    perform wall.cancel_bookings(ids, 'company', null);
  end if;
  return null;
end $$;
create trigger free_places after update of status, left_on on profiles for each row
  when (new.role = 'employee' and (new.status = 'suspended' or new.left_on is not null)
    and (new.status, new.left_on) is distinct from (old.status, old.left_on))
  execute function wall.free_places();

-- Nine in the morning of the day before, where the check is.
create function wall.reminds_at(slot check_slots) returns timestamptz
language sql stable set search_path = public, pg_catalog
return (select (slot.day - 1 + time '09:00') at time zone p.time_zone
  from check_providers p where p.id = slot.provider_id);

-- Reminds of checks of the next day, once each; after hours of being down, late rather than not at all. Who booked
-- or moved it since then knows. Answers how many were looked at.
create function wall.remind_of_checks(at timestamptz, at_most integer) returns integer
language plpgsql set search_path = public, pg_catalog as $$
declare
  due record;
  seen integer := 0;
begin
  for due in
    select b.company_id, b.id, b.person_id, b.changed_at, s as slot, p.time_zone
      from check_bookings b join check_slots s on s.id = b.slot_id
        join check_providers p on p.id = s.provider_id
      where b.status = 'booked' and b.reminded_at is null and b.starts_at > at
        and b.starts_at < at + interval '3 days' and at >= wall.reminds_at(s)
      order by b.starts_at, b.id limit at_most for no key update of b skip locked
  loop
    update check_bookings b set reminded_at = at where b.company_id = due.company_id and b.id = due.id;
    if due.changed_at < wall.reminds_at(due.slot) then
      perform notify_person(due.person_id, 'health',
        case when (at at time zone due.time_zone)::date < (due.slot).day
          then 'Your health check is tomorrow' else 'Your health check is today' end,
        'You are expected on ' || wall.clock(due.slot) || '.',
        '/dashboard/health-checks?booking=' || due.id);
    end if;
    seen := seen + 1;
  end loop;
  return seen;
end $$;

do $$
declare name text;
begin
  foreach name in array array['book_check(uuid)', 'move_check(uuid, uuid)', 'cancel_check(uuid)',
    'close_slot(uuid, text)', 'close_check_day(uuid, date, text)', 'reopen_slot(uuid)',
    'close_provider(uuid, text)', 'day_codes(uuid, date)'] loop
    execute format('revoke execute on function %s from public', name);
    execute format('grant execute on function %s to healthfund_request', name);
  end loop;
end $$;
revoke execute on function wall.place_slot(), wall.keep_time_zone(), wall.booking_code(),
  wall.clock(check_slots), wall.slot_changed(check_slots), wall.take_place(uuid),
  wall.hold_booking(uuid, uuid), wall.cancel_bookings(uuid[], text, text), wall.your_slots(uuid[]),
  wall.close_slots(uuid[], text), wall.free_places(), wall.reminds_at(check_slots),
  wall.remind_of_checks(timestamptz, integer) from public;
