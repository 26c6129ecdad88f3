-- Four claims of each person in prevention and four in treatment, spread over the year up to today: so some of the last
-- ones still wait, while one of a category is paid before the next comes, and what an account has after each step is
-- known from the claims before it.
create unlogged table size.type as
select c.n as cn, t.id, t.name, t.category, row_number() over (partition by c.n, t.category order by t.name) as at,
    count(*) over (partition by c.n, t.category) as all_of_it
  from size.company c join claim_types t on t.company_id = c.id;

create unlogged table size.made as
with sizes as (
  select p.pn, p.id as person_id, p.cn, p.company_id, p.plan_year, category, cat, j,
      size.drawn(p.pn * 8 + cat * 4 + j, 11) as h, size.drawn(p.pn * 8 + cat * 4 + j, 12) as g,
      p.plan_year + (floor((j + size.drawn(p.pn * 2 + cat, 13) % 10000 / 10000.0) * step) + 0.3 +
        size.drawn(p.pn * 8 + cat * 4 + j, 14) % 36000 / 86400.0) * interval '1 day' as sent_at
    from size.person p
    cross join (values (0, 'prevention'), (1, 'treatment')) c (cat, category)
    cross join generate_series(0, 3) j
    cross join lateral (select (current_date - p.plan_year) / 4.0 as step) s
    where p.active),
claimed as (
  select a.*, case cat when 0 then 1000 + h % 3900 else 1500 + h % 15900 end::bigint as cents,
      case when g % 100 < 85 or g % 100 > 95 then 'approved' when g % 100 < 93 then 'rejected' else 'withdrawn' end as fate
    from sizes a),
placed as (
  select s.*, fate = 'approved' and cents <= 5000 and g % 100 < 45 as automatic,
      coalesce(sum(case fate when 'approved' then cents end) over earlier, 0)::bigint as used_cents
    from claimed s window earlier as (partition by pn, cat
      order by j rows between unbounded preceding and 1 preceding)),
decided as (
  select p.*, case when automatic then sent_at else sent_at + (4 + h % 100) * interval '1 hour' end as answered_at
    from placed p),
dated as (
  select d.*, case when answered_at > now() then 'pending' else fate end as status,
      date_trunc('month', answered_at) + interval '23 days 10 hours' as run_at
    from decided d where sent_at < now()),
run as (
  select d.*, case when status = 'approved' then
      case when answered_at < run_at then run_at else run_at + interval '1 month' end end as put_at
    from dated d)
select r.*, put_at + interval '1 day' as paid_at,
    (extract(year from age(date_trunc('month', put_at), plan_year)) * 12
      + extract(month from age(date_trunc('month', put_at), plan_year)) + 1)::integer as run_id,
    (row_number() over (partition by r.cn order by r.sent_at, r.pn))::bigint as claim_id, t.id as type_id, t.name as type_name,
    (array['Harbour Clinic', 'Physio Nord', 'Dr. Marić', 'City Pharmacy', 'Studio Balance', 'Poliklinika Zagreb',
      'Vision Optik', 'Dental Art', 'Laboratorij Plus', 'Medica'])[1 + h / 7 % 10] as provider
  from run r join size.type t on t.cn = r.cn and t.category = r.category and t.at = 1 + g / 100 % t.all_of_it
  order by sent_at;
create index on size.made (sent_at);
analyze size.made;
