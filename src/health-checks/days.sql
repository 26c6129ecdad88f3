-- The days of health checks: closed, listed, reminded of, and their places freed by leavers.

-- The slot or slots of a provider that the actor set up, locked in the order in which everybody
-- locks them.
create or replace function private.lock_your_slots(ids uuid[]) returns setof check_slots
language sql set search_path = public, pg_catalog, pg_temp as $$
  select * from check_slots s where s.id = any (ids) and sets_up_checks_of(s.company_id)
    order by s.id for no key update
$$;

-- Closes slots: people who have booked are told why, and can book another time. Answers how many
-- they were.
create or replace function private.close_slots(ids uuid[], reason text) returns integer
language plpgsql set search_path = public, pg_catalog, pg_temp as $$
declare slots uuid[] := array(select s.id from private.lock_your_slots(ids) s
  where slot_refusal('close', s) is null);
begin
  update check_slots set closed_at = now(), close_reason = reason where id = any (slots);
  return private.cancel_bookings(array(select b.id from check_bookings b
    where b.slot_id = any (slots) and b.status = 'booked' order by b.id), 'provider', reason);
end $$;

create or replace function close_slot(slot uuid, reason text) returns integer
language plpgsql security definer set search_path = public, pg_catalog, pg_temp as $$
declare s check_slots;
begin
  select * into s from private.lock_your_slots(array[slot]);
  if not found then perform private.refuse('not_found'); end if;
  perform private.refuse(slot_refusal('close', s));
  perform private.publish_slot(s);
  return private.close_slots(array[slot], reason);
end $$;

create or replace function close_check_day(provider uuid, day date, reason text) returns integer
language plpgsql security definer set search_path = public, pg_catalog, pg_temp as $$
declare slots uuid[] := array(select s.id from check_slots s
  where s.provider_id = provider and s.day = close_check_day.day
    and slot_refusal('close', s) is null);
begin
  if not exists (select from private.lock_your_slots(slots)) then
    perform private.refuse('nothing_to_close');
  end if;
  return private.close_slots(slots, reason);
end $$;

create or replace function reopen_slot(slot uuid) returns void
language plpgsql security definer set search_path = public, pg_catalog, pg_temp as $$
declare s check_slots;
begin
  select * into s from private.lock_your_slots(array[slot]);
  if not found then perform private.refuse('not_found'); end if;
  perform private.refuse(reopening_refusal(slot));
  update check_slots set closed_at = null, close_reason = null where id = slot;
  perform private.publish_slot(s);
end $$;

create or replace function private.begin_provider_act(act text, provider uuid) returns void
language plpgsql set search_path = public, pg_catalog, pg_temp as $$
declare p check_providers;
begin
  select * into p from check_providers x
    where x.id = provider and sets_up_checks_of(x.company_id) for update;
  if not found then perform private.refuse('not_found'); end if;
  perform private.refuse(check_provider_refusal(act, p.closed_at));
end $$;

create or replace function close_provider(provider uuid, reason text) returns integer
language plpgsql security definer set search_path = public, pg_catalog, pg_temp as $$
begin
  perform private.begin_provider_act('close', provider);
  update check_providers set closed_at = now() where id = provider;
  return private.close_slots(array(select s.id from check_slots s where s.provider_id = provider
    and slot_refusal('close', s) is null), reason);
end $$;

-- The times of a reopened provider stay closed until each is opened again.
create or replace function reopen_provider(provider uuid) returns void
language plpgsql security definer set search_path = public, pg_catalog, pg_temp as $$
begin
  perform private.begin_provider_act('reopen', provider);
  update check_providers set closed_at = null where id = provider;
end $$;

-- Codes that people say at the desk of the platform's provider on a day; never their names.
create or replace function day_codes(provider uuid, day date)
  returns table (slot_id uuid, code text)
language sql stable security definer set search_path = public, pg_catalog, pg_temp
begin atomic
  select b.slot_id, b.code from check_bookings b
    join check_slots s on s.id = b.slot_id
    where actor_role() = 'super_admin' and s.company_id is null and s.provider_id = provider
      and s.day = day_codes.day and b.status = 'booked'
    order by s.starts_at, b.code;
end;

-- A leaver's or suspended person's bookings are cancelled: somebody else may need the places.
create or replace function private.free_places() returns trigger
language plpgsql security definer set search_path = public, pg_catalog, pg_temp as $$
declare ids uuid[] := array(
  select b.id from check_bookings b where b.company_id = new.company_id and b.person_id = new.id
    and b.status = 'booked' and b.starts_at > now()
    and (new.status = 'suspended' or is_after_last_day(b.day, new.left_on)));
begin
  if cardinality(ids) > 0 then
    perform from check_slots s where s.id in (select b.slot_id from check_bookings b
      where b.id = any (ids))
      order by s.id for no key update;
    perform private.cancel_bookings(ids, 'company', null);
  end if;
  return null;
end $$;
create or replace trigger free_places after update of status, left_on on profiles for each row
  when ((new.status = 'suspended' or new.left_on is not null)
    and (new.status, new.left_on) is distinct from (old.status, old.left_on))
  execute function private.free_places();

-- Nine in the morning of the day before, where the check is.
create or replace function private.reminds_at(slot check_slots) returns timestamptz
language sql stable
return (select (slot.day - 1 + time '09:00') at time zone p.time_zone
  from check_providers p where p.id = slot.provider_id);

-- Whether somebody's yearly check is due: a year after the day of the last one, as long as none is
-- booked.
create or replace function check_due(company uuid, person uuid) returns boolean
language sql stable
return not exists (select from check_bookings b where b.company_id = company
  and b.person_id = person and b.status = 'booked'
  and (b.starts_at > now() or b.day > company_today(company) - interval '1 year'));

-- People who switched tips on are reminded of the yearly check, once a year, while one can be
-- booked.
create or replace function private.remind_of_due() returns void
language sql
begin atomic
  select notify_person(p.id, 'check_due')
    from preferences w
      join profiles p on p.id = w.person_id and p.status = 'active'
        and private.has_benefits(p.role, p.has_own)
    where w.health_tips and not p.has_left
      and check_due(p.company_id, p.id)
      and not exists (select from notifications n where n.person_id = p.id
        and n.code = 'check_due' and n.at > now() - interval '1 year')
      and exists (select from check_slots s
          join check_providers c on c.id = s.provider_id and c.closed_at is null
            and (c.company_id is null or c.company_id = p.company_id)
        where s.starts_at > now() and s.closed_at is null and s.taken < s.capacity
          and not is_after_last_day(s.day, p.left_on));
end;

-- Reminds people of checks on the next day, once for each check; after an outage late rather than
-- not at all. Bookings made or moved since then need no reminder. Answers how many were looked at.
create or replace function private.remind_of_checks(at timestamptz, at_most integer) returns integer
language plpgsql set search_path = public, pg_catalog, pg_temp as $$
declare
  due record;
  reminded integer := 0;
begin
  for due in
    select b.company_id, b.id, b.person_id, b.changed_at, s as slot, p.time_zone
      from check_bookings b join check_slots s on s.id = b.slot_id
        join check_providers p on p.id = s.provider_id
      where b.status = 'booked' and b.reminded_at is null and b.starts_at > at
        and b.starts_at < at + interval '3 days' and at >= private.reminds_at(s)
      order by b.starts_at, b.id limit at_most for no key update of b skip locked
  loop
    update check_bookings b set reminded_at = at where b.company_id = due.company_id
      and b.id = due.id;
    if due.changed_at < private.reminds_at(due.slot) then
      perform notify_person(due.person_id,
        case when (at at time zone due.time_zone)::date < (due.slot).day
          then 'check_tomorrow' else 'check_today' end,
        private.check_facts(due.slot), due.id::text);
    end if;
    reminded := reminded + 1;
  end loop;
  return reminded;
end $$;

grant execute on function check_due, close_slot, close_check_day, reopen_slot, close_provider,
  reopen_provider, day_codes to healthfund_request;
