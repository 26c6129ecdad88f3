-- Steps missing until a company's people can claim, and what one more person costs.

create or replace function first_day() returns json
language plpgsql stable security definer set search_path = public, pg_catalog, pg_temp as $$
declare
  company uuid := actor_company();
  plan plan_years;
  today date; -- or the first day of a year to come
  pools json;
begin
  perform private.require_right('owner', 'people');
  select y.* into plan from plan_years y
    where y.company_id = company and y.starts_on = current_plan_year(company);
  today := greatest(private.today_at(company), plan.starts_on);
  select json_agg(json_build_object('category', c.category,
      'each_cents', private.due_by(plan, c.category, today, 0,
        private.grants_as_of(company, plan.starts_on)),
      'each_year_cents', grant_due(plan, c.category, today, 0),
      'pool_cents', c.pool_cents, 'waiting_cents', c.waiting_cents,
      'invited_cents', c.invited_cents, 'allocated_cents', coalesce(f.allocated_cents, 0))
      order by c.category)
    into pools
    from private.grants_needed(company, null) c
    left join category_funds f on f.company_id = company and f.plan_year = plan.starts_on
      and f.category = c.category;
  return (select json_build_object('status', o.status, 'currency', o.currency, 'pools', pools,
      'is_closed', o.first_day_closed_at is not null,
      'contributed', exists (select from transfers t
        where t.company_id = company and t.event = 'contribution'),
      'people', coalesce(h.active, 0), 'people_invited', coalesce(h.pending, 0),
      'admins', (select least(count(*) filter (where r.kind = 'reviewer'),
          count(*) filter (where r.kind = 'finance'))
        from rights_now r where r.company_id = company),
      'admins_waiting', (select count(distinct r.person_id) from rights_waiting r
        where r.company_id = company and r.kind in ('reviewer', 'finance')),
      'admins_invited', coalesce(h.admins_pending, 0), 'next_second_person', coalesce(
        case when not has_second_person('reviewer', company, actor_id())
          then next_second_person('reviewer', company) end,
        case when not has_second_person('finance', company, actor_id())
          then next_second_person('finance', company) end),
      'has_account', exists (select from company_accounts a where a.company_id = company))
    from companies o left join headcounts h on h.company_id = o.id where o.id = company);
end $$;

-- Closes the steps for all admins of the company.
create or replace function close_first_day() returns void
language plpgsql security definer set search_path = public, pg_catalog, pg_temp as $$
begin
  perform private.require_right('owner');
  update companies set first_day_closed_at = now()
    where id = actor_company() and first_day_closed_at is null;
  perform publish('admins:' || actor_company());
end $$;

grant execute on function first_day, close_first_day to healthfund_request;
