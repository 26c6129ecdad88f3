-- Dependents: added, changed, approved, ended.

create policy your_companys on family_rules for select using (
  company_id = (select actor_company()) and (select actor_has('owner', 'people', 'auditor')));
create policy hr_adds on family_rules for insert with check (
  company_id = (select actor_company()) and (select actor_has('owner', 'people')));
create policy hr_decides on family_rules for update using (
  company_id = (select actor_company()) and (select actor_has('owner', 'people')));
grant select, insert (company_id, approval_needed, child_age), update (approval_needed, child_age)
  on family_rules to healthfund_request;
create or replace trigger audit after insert or update or delete on family_rules
  for each row execute function audited();

-- Dependents within the new age are covered from today on; the Solidarity for them follows in the
-- background.
create or replace function private.queue_cover_by_new_age() returns trigger
language plpgsql security definer set search_path = public, pg_catalog, pg_temp as $$
begin
  perform add_job('dependents:keep', json_build_object('company_id', new.company_id, 'new_age',
    json_build_object('was', coalesce(old.child_age, r.child_age), 'now', new.child_age)))
    from family_rules_of(null) r;
  return null;
end $$;
-- Notifies people whose child is covered by one of the ages and not by the other.
create or replace function private.notify_of_new_age(company uuid, was integer, new integer)
  returns void
language sql set search_path = public, pg_catalog, pg_temp as $$
  select private.notify_all_of('cover_changed', array(
    select distinct d.person_id from dependents d
      join profiles p on p.id = d.person_id and p.status = 'active' and not p.has_left
      cross join lateral (select greatest(d.covered_from, private.today_at(company)) as day) t
    where d.company_id = company and d.status = 'active' and d.relationship = 'child'
      and (t.day <= cover_ends_on(d, was)) <> (t.day <= cover_ends_on(d, new))))
$$;

create or replace trigger new_age after insert or update of child_age on family_rules
  for each row when (new.child_age is not null) execute function private.queue_cover_by_new_age();

create policy your_family_and_your_peoples on dependents for select using (
  company_id = (select actor_company())
    and (person_id = (select actor_id()) or (select actor_has('people', 'reviewer'))));
grant select on dependents to healthfund_request;
create or replace trigger audit after insert or update or delete on dependents for each row
  execute function audited('full_name', 'born_on', 'decline_reason', 'notified_last_day',
    'notified_days', 'version');
create or replace trigger as_name_line before insert or update of full_name on dependents
  for each row execute function private.keep_as_line('full_name');

create policy of_whom_you_see on dependent_events for select using (
  company_id = (select actor_company()) and exists (select from dependents d
    where d.company_id = dependent_events.company_id and d.id = dependent_events.dependent_id
      and (undone_at is null or (select actor_has('people')))));
grant select on dependent_events to healthfund_request;

-- Why an act may not be done to a dependent as they are now; null where it may. Cover that was
-- ended can be resumed until its last day, and within a day of ending it. Cover that age or the
-- employee's own last day keeps from ever beginning is over.
create or replace function dependent_refusal(act text, d dependents, me uuid) returns text
language sql stable
return case
  when exists (select from profiles p where p.company_id = d.company_id and p.id = d.person_id
    and p.erased_at is not null) then 'person_erased'
  when act in ('change', 'withdraw') and d.status not in ('requested', 'active')
    then 'cover_is_over'
  when act = 'withdraw' and d.status = 'active' and d.covered_from <= company_today(d.company_id)
    then 'cover_has_begun'
  when act in ('end', 'resume') then case
    when d.status <> 'active' then 'cover_not_approved'
    when d.ended_by_hr and not (actor_has('people') and d.person_id <> me)
      then 'ended_by_hr'
    when act = 'resume' and d.covered_to is null then 'cover_is_over'
    when d.covered_to < company_today(d.company_id) and d.ended_at <= now() - interval '1 day'
      then 'cover_is_over'
    when least(ages_out_on(d.relationship, d.born_on, child_age_of(d.company_id)),
        (select p.left_on from profiles p
          where p.company_id = d.company_id and p.id = d.person_id))
      < greatest(company_today(d.company_id), d.covered_from) then 'cover_is_over' end
  when act in ('approve', 'decline') then case when d.status <> 'requested' then 'not_requested'
    else own_benefit_refusal('people', d.company_id, d.person_id, me) end end;

create or replace function dependent_refusals(d dependents, me uuid) returns json
language sql stable
return json_build_object('change', dependent_refusal('change', d, me),
  'end', dependent_refusal('end', d, me), 'resume', dependent_refusal('resume', d, me),
  'withdraw', dependent_refusal('withdraw', d, me),
  'approve', dependent_refusal('approve', d, me), 'decline', dependent_refusal('decline', d, me));

-- Locks a dependent of the asker, or of the admin's company, for an act, in the version that was
-- seen; otherwise raises why not. For acts that only the person may do, HR does not find them.
create or replace function private.lock_dependent(act text, dependent uuid,
  expected_version integer default null)
returns dependents
language plpgsql set search_path = public, pg_catalog, pg_temp as $$
declare d dependents;
begin
  select * into d from dependents x where x.company_id = actor_company() and x.id = dependent
      and (x.person_id = actor_id()
        or actor_has('people') and act not in ('change', 'withdraw'))
    for no key update;
  if not found then perform private.refuse('not_found'); end if;
  perform private.refuse(coalesce(dependent_refusal(act, d, actor_id()),
    case when d.version <> expected_version then 'changed_meanwhile' end));
  perform private.end_undo(d.company_id, 'dependent ' || d.id), publish('admins:' || d.company_id),
    case when act not in ('approve', 'decline') then publish('person:' || d.person_id) end;
  return d;
end $$;

create or replace function private.note_dependent(d dependents, event text, day date default null)
  returns void
language sql
begin atomic
  insert into dependent_events (company_id, dependent_id, by_role, event, day)
    values (d.company_id, d.id, coalesce(nullif(actor_role(), ''), 'system'), event, day);
end;

-- Rules that no constraint can see: the person's own days, the company's age limit, and the number
-- of dependents.
create or replace function private.check_dependent(d dependents) returns void
language plpgsql set search_path = public, pg_catalog, pg_temp as $$
declare p profiles;
begin
  -- one after the other
  select * into strict p from profiles where id = d.person_id for no key update;
  if d.covered_from < p.joined_on then
    perform private.refuse('cover_before_joining');
  elsif is_after_last_day(d.covered_from, p.left_on) then
    perform private.refuse('cover_after_leaving');
  elsif d.covered_from > cover_ends_on(d, child_age_of(d.company_id)) and d.covered_to is null then
    perform private.refuse('child_too_old');
  elsif age_on(d.born_on, private.today_at(d.company_id))
      < (case d.relationship when 'parent' then 30 when 'spouse' then 16 else 0 end) then
    perform private.refuse('too_young_for_that');
  elsif (select count(*) from dependents x where x.company_id = d.company_id and x.id <> d.id
      and x.person_id = d.person_id and x.status in ('requested', 'active')
      and x.covered_to is null)
        >= 20
  then
    perform private.refuse('too_many_dependents');
  end if;
end $$;

create or replace function add_dependent(full_name text, relationship text, born_on date,
  covered_from date)
returns uuid language plpgsql security definer set search_path = public, pg_catalog, pg_temp as $$
declare
  today date := private.today_at(actor_company());
  asks boolean := (select r.approval_needed from family_rules_of(actor_company()) r);
  p profiles;
  d dependents;
begin
  perform private.require_role('employee');
  -- One after the other: two spouses at one moment would wait for each other at their constraint.
  select * into strict p from profiles where id = actor_id() for no key update;
  perform private.refuse(family_refusal(p.left_on, today));
  insert into dependents (company_id, person_id, full_name, relationship, born_on, covered_from,
      status, added_on)
    values (p.company_id, p.id, add_dependent.full_name, add_dependent.relationship,
      add_dependent.born_on,
      coalesce(add_dependent.covered_from, new_cover_from(p.joined_on, today)),
      case when asks then 'requested' else 'active' end, today)
    returning * into d;
  perform private.check_dependent(d),
    publish('person:' || p.id), publish('admins:' || p.company_id),
    private.note_dependent(d, case when asks then 'requested' else 'added' end, d.covered_from);
  if asks then
    perform private.notify_about(a.id, p.id, 'dependent_waits')
      from private.deciders('people', p.company_id, p.id) a (id);
  end if;
  return d.id;
end $$;

create or replace function change_dependent(changed jsonb)
returns void language plpgsql security definer set search_path = public, pg_catalog, pg_temp as $$
declare
  n dependents := jsonb_populate_record(null::dependents, changed);
  d dependents := private.lock_dependent('change', n.id, n.version);
begin
  if d.approval and (d.relationship, d.born_on, d.covered_from) is distinct from
      (n.relationship, n.born_on, n.covered_from) then
    perform private.refuse('already_approved');
  end if;
  if (d.full_name, d.relationship, d.born_on, d.covered_from) = (n.full_name,
      n.relationship, n.born_on, n.covered_from) then
    return;
  end if;
  update dependents x set full_name = n.full_name, version = x.version + 1,
      relationship = n.relationship, born_on = n.born_on, covered_from = n.covered_from
    where x.company_id = d.company_id and x.id = d.id returning * into d;
  perform private.check_dependent(d), private.note_dependent(d, 'changed');
end $$;

-- Sets or removes the end of a cover. A cover that is past for good stays past: the dependent can
-- be added again.
create or replace function end_dependent(dependent uuid, covered_to date) returns void
language plpgsql security definer set search_path = public, pg_catalog, pg_temp as $$
declare d dependents := private.lock_dependent(
  case when covered_to is null then 'resume' else 'end' end, dependent);
begin
  update dependents x set covered_to = end_dependent.covered_to, version = x.version + 1,
      ended_at = case when end_dependent.covered_to is not null then now() end,
      ended_by_hr = end_dependent.covered_to is not null and actor_id() <> d.person_id
    where x.company_id = d.company_id and x.id = d.id;
  perform private.note_dependent(d,
    case when end_dependent.covered_to is null then 'resumed' else 'ended' end,
      end_dependent.covered_to);
  if d.person_id <> actor_id() then
    perform notify_person(d.person_id, 'cover_changed');
  end if;
end $$;

-- Removes a dependent who was never covered: the request is withdrawn, or cover has not begun.
create or replace function withdraw_dependent(dependent uuid) returns void
language plpgsql security definer set search_path = public, pg_catalog, pg_temp as $$
declare d dependents := private.lock_dependent('withdraw', dependent);
begin
  update dependents x set status = 'withdrawn', version = x.version + 1
    where x.company_id = d.company_id and x.id = d.id;
  perform private.note_dependent(d, 'withdrawn');
end $$;

-- HR decides about what it saw: `version` is the one on its screen.
create or replace function decide_dependent(dependent uuid, version integer, approves boolean,
  reason text)
returns void language plpgsql security definer set search_path = public, pg_catalog, pg_temp as $$
declare d dependents := private.lock_dependent(
  case when approves then 'approve' else 'decline' end, dependent, version);
begin
  perform private.require_right('people');
  update dependents x set status = case when approves then 'active' else 'declined' end,
      approval = approves, decline_reason = reason, version = x.version + 1
    where x.company_id = d.company_id and x.id = d.id;
  perform private.note_dependent(d, case when approves then 'approved' else 'declined' end),
    private.allow_undo(d.company_id, 'dependent ' || d.id, d.version + 1,
      jsonb_build_object('approval', d.approval, 'decline_reason', d.decline_reason),
      case when approves then 'dependent_approved' else 'dependent_declined' end);
end $$;

-- Notifies people whose child will be too old, 90, 60 and 30 days before: each once, and late
-- rather than not at all.
create or replace function private.notify_of_ageing(company uuid, today date) returns integer
language plpgsql set search_path = public, pg_catalog, pg_temp as $$
declare
  child record;
  reminded integer := 0;
begin
  for child in
    select d as row, a.last_day, case when a.last_day - today <= 30 then 30
        when a.last_day - today <= 60 then 60 else 90 end as days
      from dependents d
        join profiles p on p.id = d.person_id and p.status = 'active' and not p.has_left
        cross join lateral ages_out_on(d.relationship, d.born_on,
          child_age_of(company)) a (last_day)
      where d.company_id = company and d.status = 'active' and d.relationship = 'child'
        and coalesce(least(d.covered_to, p.left_on) > a.last_day, true)
        and a.last_day between today and today + 90
      order by d.id for no key update of d
  loop
    continue when (child.row).notified_last_day = child.last_day
      and (child.row).notified_days <= child.days;
    update dependents x set notified_last_day = child.last_day, notified_days = child.days
      where x.company_id = company and x.id = (child.row).id;
    perform private.note_dependent(child.row, 'reminded', child.last_day),
      notify_person((child.row).person_id, 'child_ages_out',
        jsonb_build_object('until', child.last_day, 'age', child_age_of(company)));
    reminded := reminded + 1;
  end loop;
  return reminded;
end $$;

grant execute on function add_dependent, change_dependent, dependent_refusal, dependent_refusals,
  end_dependent, withdraw_dependent, decide_dependent to healthfund_request;
