-- How many employees a company had on each of its days: the change against the period before.

create table headcount_days (
  company_id uuid not null,
  day        date not null,
  employees  integer not null,
  primary key (company_id, day)
);
comment on table headcount_days is 'How many employees a company had at the end of each day on which that changed. Kept by a trigger on headcounts.';
alter table headcount_days enable row level security;
create policy your_companys on headcount_days for select using (
  (company_id = (select actor_company()) and (select actor_role()) = 'company_admin')
  or (select actor_role()) = 'super_admin');
grant select on headcount_days to healthfund_request;

-- Whoever changes a headcount holds its row already: the day's row is nobody's new wait.
create function wall.note_headcount() returns trigger
language plpgsql security definer set search_path = public, pg_catalog as $$
begin
  insert into headcount_days as d (company_id, day, employees)
    select new.company_id, wall.today_at(new.company_id),
        new.pending + new.active + new.suspended + new.has_left
      where exists (select from companies c where c.id = new.company_id)
    on conflict (company_id, day) do update set employees = excluded.employees;
  return null;
end $$;
create trigger note_headcount after insert or update of pending, active, suspended, has_left on headcounts
  for each row execute function wall.note_headcount();
revoke execute on function wall.note_headcount() from public;

insert into headcount_days
  select h.company_id, wall.today_at(c.id), h.pending + h.active + h.suspended + h.has_left
    from headcounts h join companies c on c.id = h.company_id;
