-- How many people there were on a day is kept once, in `headcount_days`: growth is the difference of two days.

-- What only the other table knew: the days before this one was kept.
insert into headcount_days (company_id, day, employees)
  select w.company_id, w.day, w.employees
    from (select company_id, day,
        greatest(0, sum(people) over (partition by company_id order by day))::integer as employees
      from wall.headcount_days) w
    where w.day < (select min(d.day) from headcount_days d where d.company_id = w.company_id)
  on conflict (company_id, day) do nothing;

drop trigger note_growth on headcounts;
drop function wall.note_growth();
drop table wall.headcount_days;

create or replace function platform_figures(days integer) returns jsonb
language plpgsql stable security definer set search_path = public, pg_catalog as $$
begin
  if actor_role() <> 'super_admin' then raise exception 'forbidden' using errcode = 'HF422'; end if;
  return jsonb_build_object(
    'days', days,
    'companies', (select count(*) from companies),
    'companies_before', (select count(*) from companies where created_at < now() - make_interval(days => days)),
    'employees', (select coalesce(sum(wall.employees_of(h)), 0) from headcounts h
      where h.company_id in (select id from companies)),
    'employees_since', (select coalesce(sum(wall.employees_of(h) - coalesce(d.employees, 0)), 0)
      from headcounts h join companies c on c.id = h.company_id
      left join lateral (select x.employees from headcount_days x
        where x.company_id = c.id and x.day <= wall.today_at(c.id) - days
        order by x.day desc limit 1) d on true),
    'money', (select coalesce(jsonb_agg(jsonb_build_object('currency', n.currency,
          'managed_cents', n.managed_cents, 'used_cents', n.used_cents, 'companies', n.companies,
          'managed_before_cents', coalesce(b.managed_cents, 0),
          'used_before_cents', coalesce(b.used_cents, 0))
        order by n.companies desc, n.currency), '[]')
      from wall.money_on(0) n left join wall.money_on(days) b on b.currency = n.currency));
end $$;
