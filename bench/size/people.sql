-- Everybody who works there: their accounts, persons, bank accounts, grants and what is said of them on the record.
-- Triggers and secondary indexes are off: what they keep is written below.
create unlogged table size.person as
select (row_number() over (order by c.n, at))::integer as pn, gen_random_uuid() as id, c.id as company_id,
    c.n as cn, at, at % 33 <> 0 as active, (at - at / 33)::bigint as funded_at, c.plan_year, c.maker,
    first || ' ' || last as full_name,
    lower(translate(first || '.' || last, 'ČčĆćŠšŽžĐđ', 'CcCcSsZzDd')) || at || '@' || c.domain as email,
    (array['Engineering', 'Sales', 'People', 'Finance', 'Operations', 'Support', 'Legal', 'Logistics'])
      [1 + size.drawn(at, c.n) % 8] as department,
    c.plan_year::timestamptz - interval '2 days' + at % 3600 * interval '1 second' as added_at,
    c.plan_year - 1 - size.drawn(at, 7) % 3000 as joined_on
  from size.company c
  cross join generate_series(1, c.people) at
  cross join lateral (select
    (array['Ana', 'Marko', 'Iva', 'Luka', 'Žana', 'Petra', 'Noa', 'Ema', 'Filip', 'Lucija', 'Ivan', 'Sara', 'Jan',
      'Mia', 'Karlo', 'Nika', 'Tomislav', 'Dora', 'Vedran', 'Lana'])[1 + size.drawn(at, c.n + 1) % 20] as first,
    (array['Horvat', 'Kovač', 'Babić', 'Marić', 'Jurić', 'Novak', 'Kralj', 'Vuković', 'Božić', 'Knežević', 'Matić',
      'Petrović', 'Tomić', 'Perić', 'Šarić', 'Lončar', 'Grgić', 'Pavić', 'Radić', 'Barišić', 'Filipović', 'Popović',
      'Blažević', 'Lovrić', 'Vidović', 'Rukavina', 'Galić', 'Jukić', 'Klarić', 'Bašić'])
      [1 + size.drawn(at, c.n + 2) % 30] as last) named;

insert into auth.users (id, email, email_confirmed_at, raw_app_meta_data, raw_user_meta_data, placement,
    created_at, updated_at)
  select id, email, case when active then added_at end, '{"provider": "email", "providers": ["email"]}',
      jsonb_build_object('sub', id, 'email', email, 'full_name', full_name, 'email_verified', false,
        'phone_verified', false),
      jsonb_build_object('role', 'employee', 'phone', null, 'company_id', company_id,
        'department', department), added_at, added_at
    from size.person order by pn;
insert into auth.identities (user_id, provider, provider_id, identity_data, created_at, updated_at)
  select id, 'email', id, jsonb_build_object('sub', id, 'email', email, 'full_name', full_name,
      'email_verified', active, 'phone_verified', false), added_at, added_at
    from size.person order by pn;
insert into profiles (id, company_id, role, status, email, full_name, department, confirmed_at, invited_at,
    joined_on, version, created_at)
  select id, company_id, 'employee', case when active then 'active' else 'pending' end, email, full_name,
      department, case when active then added_at end, added_at, joined_on, case when active then 2 else 1 end,
      added_at
    from size.person order by pn;
insert into bank_accounts (company_id, person_id, holder, iban, changed_at)
  select company_id, id, full_name, 'HR' || lpad((98 - mod((pn || '00000000172700')::numeric, 97))::text, 2, '0')
      || lpad(pn || '00000000', 17, '0'), added_at
    from size.person where active order by pn;
select private.count_people(array_agg(changed)) from (
  select (company_id, 'employee', status, status, department, count(*))::private.people_change as changed
    from (select company_id, case when active then 'active' else 'pending' end as status, department
      from size.person) p group by company_id, status, department) counted;
insert into headcount_days (company_id, day, employees)
  select company_id, day, count(*) from size.person, unnest(array[plan_year, current_date]) day group by company_id, day
  on conflict (company_id, day) do update set employees = excluded.employees;

insert into grants (company_id, plan_year, person_id, category, covered_from, due_cents, granted_cents, changes)
  select company_id, plan_year, id, category, plan_year, cents, cents, 1
    from size.person, (values ('prevention', 20000), ('treatment', 70000), ('solidarity', 10000)) g (category, cents)
    where active order by pn;

-- The first numbers for people's accounts and transfers.
create table size.base as
select (select max(id) from accounts) as accounts, (select max(id) from transfers) as transfers,
    (select id from private.file_keys where retired_at is null) as file_key;
insert into transfers (company_id, id, plan_year, from_account, to_account, amount_cents, from_balance_cents,
    to_balance_cents, event, cause, person_id, occurred_on, posted_at)
  overriding system value
  select p.company_id, b.transfers + row_number() over (order by p.pn, g.at), p.plan_year,
      a.id, b.accounts + p.pn::bigint * 9 + g.at, g.cents,
      g.cents * (c.funded - p.funded_at), g.cents, 'grant',
      concat_ws(' ', 'grant', p.plan_year, p.id, g.category, 0), p.id, p.plan_year,
      p.plan_year + interval '1 minute'
    from size.base b
    cross join size.person p
    join size.company c on c.n = p.cn
    cross join (values (0, 'prevention', 20000), (1, 'treatment', 70000), (2, 'solidarity', 10000)) g (at, category, cents)
    join accounts a on a.company_id = p.company_id and a.kind = 'pool' and a.category = g.category
    where p.active;
update accounts a set balance_cents = 0 from size.company c where a.company_id = c.id and a.kind = 'pool';
select setval(pg_get_serial_sequence('transfers', 'id'), max(id)) from transfers;

insert into audit_log (company_id, at, actor_id, actor_role, address, request_id, act, table_name, row_id, before, after)
  select p.company_id, e.at, e.actor, e.actor_role, '203.0.113.7', gen_random_uuid(), e.act, e.table_name,
      e.row_id, e.before, e.after
    from size.person p
    cross join lateral (values
      (1, added_at, p.maker, 'company_admin', 'insert', 'profiles', p.id::text, null::jsonb, jsonb_build_object(
        'id', p.id, 'role', 'employee', 'email', email, 'phone', null, 'status', 'pending', 'left_on', null,
        'requested_at', null, 'has_left', false, 'erased_at', null, 'full_name', full_name,
          'joined_on', joined_on,
        'company_id', company_id, 'created_at', added_at, 'department', department, 'manager_id', null,
        'declined_company_id', null, 'personnel_number', null, 'requested_company', null)),
      (2, added_at + interval '1 hour', p.id, 'employee', 'update', 'profiles', p.id::text,
        '{"status": "pending"}', '{"status": "active"}'),
      (3, added_at + interval '1 hour', p.id, 'employee', 'insert', 'bank_accounts', '', null, jsonb_build_object(
        'person_id', p.id, 'changed_at', added_at + interval '1 hour', 'company_id', company_id)))
      e (no, at, actor, actor_role, act, table_name, row_id, before, after)
    where e.no = 1 or p.active
    order by e.at, p.pn;
