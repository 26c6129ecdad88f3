-- Bulk acts on people; bulk changes of their fields are in lists.sql.

-- Answers how many were not in the group yet. Among several, those whom another admin has to add
-- are left out.
create or replace function put_in_group(company uuid, group_id uuid, people uuid[]) returns integer
language plpgsql security definer set search_path = public, pg_catalog, pg_temp as $$
declare
  me constant uuid := actor_id();
  g constant employee_groups := private.lock_group(company, group_id);
  added integer;
begin
  perform private.refuse(case when g.departments is not null then 'group_by_department'
    when cardinality(people) = 1 then own_benefit_refusal('people', company, people[1], me) end);
  insert into employee_group_people (company_id, group_id, person_id, added_by)
    select company, g.id, p.id, me from profiles p
      where p.company_id = company and p.id = any (people) and p.role = 'employee'
        and p.account_state <> 'requested'
        and own_benefit_refusal('people', company, p.id, me) is null
      order by p.id
    on conflict do nothing;
  get diagnostics added = row_count;
  return added;
end $$;

-- `added_at` identifies the people whom one act added: somebody added again since has a later one.
create or replace function undo_put_in_group(company uuid, group_id uuid, added_at timestamptz)
  returns integer
language plpgsql security definer set search_path = public, pg_catalog, pg_temp as $$
declare taken_out integer;
begin
  perform private.lock_group(company, group_id),
    private.refuse(private.undo_refusal(
      by_another => exists (select from employee_group_people m where m.company_id = company
        and m.group_id = undo_put_in_group.group_id and m.added_at = undo_put_in_group.added_at
        and m.added_by is distinct from actor_id()),
      over => undo_put_in_group.added_at < now() - private.undo_time()));
  delete from employee_group_people m where m.company_id = company
    and m.group_id = undo_put_in_group.group_id and m.added_at = undo_put_in_group.added_at;
  get diagnostics taken_out = row_count;
  return taken_out;
end $$;

-- People who may be invited again and had no mail within a day: HR goes through a list more than
-- once, and people should not get a mail each time.
create or replace function invite_many_again(people uuid[]) returns integer
language plpgsql security definer set search_path = public, pg_catalog, pg_temp as $$
declare
  me constant uuid := actor_id();
  theirs uuid[];
begin
  perform private.require_right('people'), publish('admins:' || actor_company());
  theirs := array(select p.id from profiles p
    where p.company_id = actor_company() and p.id = any (people) and p.role = 'employee'
      and p.account_state in ('pending', 'active') and person_refusal('resend', p, me) is null
      and (p.invited_at is null or p.invited_at < now() - interval '1 day')
    order by p.id for no key update);
  if theirs = '{}' then return 0; end if;
  perform private.count_added(actor_company(), cardinality(theirs));
  update profiles set invited_at = now() where id = any (theirs);
  perform add_job('users:invite', json_build_object('ids', json_build_array(p.id),
      'mail_kind', case when p.confirmed_at is null then 'invite' else 'set_password' end,
      'by', me))
    from profiles p where p.id = any (theirs);
  return cardinality(theirs);
end $$;

grant execute on function put_in_group, undo_put_in_group, invite_many_again to healthfund_request;
