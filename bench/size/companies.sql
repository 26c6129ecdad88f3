-- Companies with their plan year, two admins each and their money, by the product's own functions: few rows, so its
-- triggers look on. One has 50,000 people, four have 10,000 (of a small world: half and a hundredth), the others 100 to 1,000.
drop schema if exists size cascade;
create schema size;

create function size.drawn(a integer, b integer) returns integer language sql immutable
return (hashint8extended(a::bigint, b) & 1073741823)::integer;

create unlogged table size.company as
with sizes as (select current_setting('size.people')::integer as people),
large as (
  select people, least(50000, people / 2) as first, least(10000, people / 100) as next from sizes),
weighed as (
  select n, case when n = 1 then first when n <= 5 then next end as size,
      case when n > 5 then 100 + size.drawn(n, 1) % 900 end as weight, people - first - 4 * next as others
    from large, generate_series(1, 5 + greatest(3, (people - first - 4 * next) / 455)) n)
select gen_random_uuid() as id, n, 'c' || n || '.size.test' as domain,
    greatest(3, coalesce(size, round(others * weight / sum(weight) over ())))::integer as people
  from weighed;

insert into companies (id, name, domain, domain_proven_at, status, created_at)
  select id, 'Company ' || n, domain, now(), 'active', now() - interval '1 year'
    from size.company order by n;
-- A year that is nearly over, on whichever day this is made.
update plan_years y set opened_at = begun.at, created_at = begun.at,
    starts_on = (date_trunc('month', now()) - interval '11 months')::date
  from (select date_trunc('month', now()) - interval '11 months' as at) begun
  where y.company_id in (select id from size.company);

alter table auth.users disable trigger account_changed;
select count(*) from size.company c cross join lateral private.add_people(c.id, 'company_admin', array[
    row('maker@' || c.domain, 'Ema Horvat', null, null),
    row('checker@' || c.domain, 'Noa Babić', null, null)]::private.newcomer[], null);
update auth.users u set email_confirmed_at = u.created_at
  where u.email_confirmed_at is null and u.email like '%.size.test';
alter table auth.users enable trigger account_changed;
update profiles p set status = 'active', confirmed_at = created_at
  where p.status = 'pending' and p.email like '%.size.test';

alter table size.company add maker uuid, add checker uuid, add plan_year date, add funded integer;
update size.company c set plan_year = y.starts_on, maker = m.id, checker = k.id,
    funded = c.people - c.people / 33
  from plan_years y, profiles m, profiles k
  where y.company_id = c.id and m.email = 'maker@' || c.domain and k.email = 'checker@' || c.domain;
select count(contribute(id, plan_year, funded * 100000::bigint, plan_year, 'Size')) from size.company;
select count(allocate(id, plan_year, jsonb_build_object('act', gen_random_uuid(),
    'prevention_cents', funded * 20000::bigint, 'treatment_cents', funded * 70000::bigint,
    'solidarity_cents', funded * 10000::bigint), false)) from size.company;
update transfers t set posted_at = t.plan_year, occurred_on = t.plan_year
  from size.company c where t.company_id = c.id;
delete from graphile_worker._private_jobs where locked_at is null;
