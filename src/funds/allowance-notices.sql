-- Notices about allowances that were lowered, true on the day on which they are read.

-- Notifies employees of money that they can't claim any more, unless they caused it themselves, and
-- of what comes back to them later. What comes back while a notice still waits for its mail is
-- taken off it, and nothing of it is left if all comes back. Leavers have had the notice of their
-- last day.
create or replace function private.notify_of_allowances(company uuid, year date,
  lowered private.posting[], raised private.posting[])
  returns void
language sql set search_path = public, pg_catalog, pg_temp as $$
  with changed as materialized (
    select m.person_id, a.category, m.cents
      from (select l.person_id, l.to_account as pool, -l.amount_cents as cents
          from unnest(lowered) l
        union all select r.person_id, r.from_account, r.amount_cents from unnest(raised) r) m
        join accounts a on a.company_id = company and a.plan_year = year and a.id = m.pool),
  earlier as materialized (
    select c.person_id, c.category, n.id, n.code, (n.facts ->> 'cents')::bigint as cents,
        n.mailed_at is null and n.read_at is null as waits
      from changed c
        cross join lateral (select * from notifications x where x.person_id = c.person_id
          and x.code in ('allowance_lowered', 'allowance_raised')
          and x.facts ->> 'category' = c.category and x.facts ->> 'plan_year' = year::text
          offset 0) n),
  withdrawn as (
    delete from notifications n using earlier h
      where h.waits and n.person_id = h.person_id and n.id = h.id),
  remaining as (
    select s.person_id, s.category, sum(s.cents)::bigint as cents
      from (select * from changed union all select h.person_id, h.category,
          case h.code when 'allowance_lowered' then -h.cents else h.cents end
        from earlier h where h.waits) s
      group by s.person_id, s.category)
  select private.notify(array_agg(p.id order by p.id),
      case when r.cents < 0 then 'allowance_lowered' else 'allowance_raised' end,
      jsonb_build_object('category', r.category, 'cents', abs(r.cents),
        'currency', (select c.currency from companies c where c.id = company),
        'plan_year', year))
    from remaining r
      join profiles p on p.id = r.person_id and p.account_state = 'active'
        and p.id is distinct from actor_id()
    -- More than before is notified to nobody but those who have had a notice of less.
    where r.cents < 0 or r.cents > 0 and (select h.code = 'allowance_lowered' from earlier h
      where h.person_id = r.person_id and h.category = r.category and not h.waits
      order by h.id desc limit 1)
    group by r.category, r.cents
$$;
