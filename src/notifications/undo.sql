-- Undo of decisions: nobody is told of one before the time for undoing it is over.

-- Ten seconds on screen, and two for the request and its answer.
create or replace function private.undo_time() returns interval
language sql immutable
return interval '12 seconds';

create or replace function private.undo_refusal(by_another boolean, over boolean) returns text
language sql immutable
return case when by_another then 'undo_not_yours' when over then 'undo_over' end;

-- Notes a decision that can be undone: `before` is what an undo restores, `notice` is sent when the
-- time is over.
create or replace function private.allow_undo(company uuid, subject text, version integer,
  before jsonb, notice text) returns void
language plpgsql set search_path = public, pg_catalog, pg_temp as $$
begin
  insert into private.decisions (company_id, subject, version, by_id, before, notice, until)
    values (company, allow_undo.subject, allow_undo.version, actor_id(), allow_undo.before,
      allow_undo.notice, clock_timestamp() + private.undo_time());
end $$;

-- Undoes a decision: only the person who made it may, in time and once; otherwise raises why not.
create or replace function private.undo(company uuid, what text) returns private.decisions
language plpgsql set search_path = public, pg_catalog, pg_temp as $$
declare
  d private.decisions;
  others boolean;
begin
  delete from private.decisions x where x.company_id = company and x.subject = what
      and x.by_id = actor_id() and x.until > clock_timestamp()
    returning * into d;
  if not found then
    others := exists (select from private.decisions x where x.company_id = company
      and x.subject = what and x.by_id <> actor_id());
    perform private.refuse(private.undo_refusal(others, over => true));
  end if;
  return d;
end $$;

-- Ends the time for undoing early, as something else is about to happen: the decision is notified
-- before what follows.
create or replace function private.end_undo(company uuid, what text) returns void
language plpgsql set search_path = public, pg_catalog, pg_temp as $$
declare d private.decisions;
begin
  delete from private.decisions x where x.company_id = company and x.subject = what
    returning * into d;
  if found then perform private.notify_decision(d); end if;
end $$;

-- When a decision can next be due. One made from now on has all of its time before it, so no
-- decision has to queue a job. (Decisions of one moment are notified together.)
create or replace function private.next_decision_due() returns timestamptz
language sql stable
return greatest(now() + interval '1 second', least(now() + private.undo_time(),
  (select min(d.until) from private.decisions d)));

-- Takes due decisions and notifies people in one transaction, so that none is notified twice or
-- lost.
create or replace function private.notify_decisions(at timestamptz) returns void
language plpgsql set search_path = public, pg_catalog, pg_temp as $$
declare d private.decisions;
begin
  for d in
    delete from private.decisions x using (
        select t.company_id, t.subject from private.decisions t where t.until <= notify_decisions.at
          order by t.until for update skip locked) due
      where x.company_id = due.company_id and x.subject = due.subject returning x.*
  loop
    perform private.notify_decision(d);
  end loop;
end $$;

create or replace function private.notify_decision(d private.decisions) returns void
language plpgsql set search_path = public, pg_catalog, pg_temp as $$
declare
  about constant text := split_part(d.subject, ' ', 2);
  c claims;
begin
  if d.notice like 'dependent%' then
    perform notify_person(x.person_id, d.notice)
      from dependents x where x.company_id = d.company_id and x.id = about::uuid;
    return;
  end if;
  select * into c from claims x where x.company_id = d.company_id and x.id = about::bigint;
  if d.notice = 'claim_approved_step' then
    perform publish('person:' || c.person_id), private.notify_of_next(c, d.by_id);
  elsif d.notice = 'question_asked' then
    perform notify_person(c.person_id, 'question_asked', jsonb_build_object('claim', c.id),
      c.id::text);
  else
    perform private.notify_claimant(c, d.notice);
  end if;
end $$;

-- Notifies those who may give the next approval; if nobody may, the person who gave the last.
create or replace function private.notify_of_next(c claims, last_by uuid) returns void
language plpgsql set search_path = public, pg_catalog, pg_temp as $$
begin
  perform private.notify_reviewers('claim_approved_step', c);
  if not another_holder('reviewer', c.company_id, variadic c.passed_by || c.person_id) then
    perform notify_person(last_by, 'claim_needs_second_admin',
      jsonb_build_object('claim', c.id), c.id::text);
  end if;
end $$;
