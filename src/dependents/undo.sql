-- A decision on a dependent is undone by whoever made it.

-- The dependent waits for HR again, as before; not where a claim was made for them meanwhile.
create or replace function undo_dependent(dependent uuid) returns void
language plpgsql security definer set search_path = public, pg_catalog, pg_temp as $$
declare
  d dependents;
  done private.decisions;
begin
  select * into d from dependents x where x.company_id = actor_company() and x.id = dependent
      and actor_has('people') for no key update;
  if not found then perform private.refuse('not_found'); end if;
  done := private.undo(d.company_id, 'dependent ' || d.id);
  perform private.refuse(case when d.version <> done.version
      or exists (select from claims c where c.company_id = d.company_id
        and c.person_id = d.person_id and c.dependent_id = d.id
          and c.submitted_at >= done.until - private.undo_time())
    then 'changed_meanwhile' end);
  update dependents x set status = 'requested', version = x.version + 1,
      approval = (done.before ->> 'approval')::boolean,
      decline_reason = done.before ->> 'decline_reason'
    where x.company_id = d.company_id and x.id = d.id;
  update dependent_events e set undone_at = now() where e.id = (
    select max(x.id) from dependent_events x where x.company_id = d.company_id
      and x.dependent_id = d.id and x.event in ('approved', 'declined'));
  perform publish('admins:' || d.company_id);
end $$;

grant execute on function undo_dependent to healthfund_request;
