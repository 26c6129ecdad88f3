-- Managers: whose work somebody answers for.

-- Nobody chooses a manager for themselves: with another one, they could decide on the claims of the
-- manager they had.
create or replace function manager_refusal(person uuid, me uuid) returns text
language sql immutable
return case when person = me then 'own_manager' end;

create or replace function set_manager(person uuid, manager uuid) returns void
language plpgsql security definer set search_path = public, pg_catalog, pg_temp as $$
declare
  p profiles;
  above uuid := manager;
begin
  -- Managers of a company are set one after the other: two at one moment could make a circle.
  perform private.require_right('people'),
    pg_advisory_xact_lock(hashtextextended('managers of ' || actor_company(), 0)),
    private.refuse(manager_refusal(person, actor_id()));
  select * into p from profiles x where x.company_id = actor_company() and x.id = person
    and not x.has_left for no key update;
  if not found or manager is not null and not exists (select from profiles m
      where m.company_id = p.company_id and m.id = manager and not m.has_left) then
    perform private.refuse('not_found');
  end if;
  for step in 1..100 loop
    exit when above is null;
    perform private.refuse(case when above = person then 'manager_in_a_circle' end);
    select x.manager_id into above from profiles x where x.id = above;
  end loop;
  update profiles set manager_id = manager where id = person;
  perform publish('admins:' || p.company_id);
end $$;

-- Shown beside a manager: whether they may decide on claims, and whether a step asks them.
create or replace function is_reviewer(person uuid) returns boolean
language sql stable security definer set search_path = public, pg_catalog, pg_temp
return actor_has('people')
  and person in (select h.id from private.holders(actor_company(), 'reviewer') h (id));

create or replace function managers_approve() returns boolean
language sql stable security definer set search_path = public, pg_catalog, pg_temp
return actor_has('people') and exists (select
  from private.policy_in_force(actor_company()) p, unnest(p.steps) s where s.who = 'manager');

grant execute on function manager_refusal, set_manager, is_reviewer, managers_approve
  to healthfund_request;
