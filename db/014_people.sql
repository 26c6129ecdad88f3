-- People, second reading: how many there were on each day, and finding them at any size.

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

-- Finds people by parts of name or e-mail: up to `at_most` of them; null when there are more, for then reading the
-- list in its order and leaving out the others finds a page soon. An index of letters must gather all that fit
-- before it can give the first, so whether words are common is asked first: of the planner, and where it
-- says so, of a few hundred people picked by their random ids. Only where that leaves no doubt nobody is gathered.
-- (Volatile, though it only reads: a stable function may not ask the planner.)
create or replace function find_people(words text[], company uuid, at_most integer) returns uuid[]
language plpgsql security definer set search_path = public, pg_catalog as $$
declare
  patterns text[] := array(select '%' || regexp_replace(w, '([%_\\])', '\\\1', 'g') || '%'
    from unnest(words) w order by length(w) desc);
  here text := case when company is not null then 'company_id = $2' else '$2::uuid is null' end;
  fits text := here || ' and ' || (select string_agg(format('sought like ($1)[%s]', at), ' and ')
    from generate_subscripts(patterns, 1) at);
  plan json;
  found_ids uuid[];
begin
  if not (actor_role() = 'super_admin'
      or actor_role() = 'company_admin' and company is not null and company = actor_company()) then
    raise exception 'forbidden' using errcode = 'HF422';
  end if;
  if length(patterns[1]) < 5 then return null; end if; -- fewer than three letters have no trigram
  execute 'explain (format json) select from profiles where ' || fits into plan using patterns, company;
  if (plan -> 0 -> 'Plan' ->> 'Plan Rows')::numeric > at_most / 2
      and wall.are_common(here, fits, patterns, company, at_most * 3) then
    return null;
  end if;
  execute 'select array(select id from profiles where ' || fits || ' limit $3)'
    into found_ids using patterns, company, at_most + 1;
  return case when cardinality(found_ids) <= at_most then found_ids end;
end $$;

-- Whether a sample says that more than so many fit. Ids are random: whoever comes first by id is picked by chance.
create function wall.are_common(here text, fits text, patterns text[], company uuid, more_than integer)
returns boolean language plpgsql stable set search_path = public, pg_catalog
set enable_seqscan = off set enable_bitmapscan = off set enable_sort = off as $$
declare
  picked numeric;
  fitting numeric;
  of_all numeric;
begin
  select sum(h.pending + h.active + h.suspended + h.has_left) into of_all from headcounts h
    where company is null or h.company_id = company;
  execute format('select count(*), count(*) filter (where %s) from (
      select company_id, sought from profiles where %s order by %s id limit 700) sample', fits, here,
      case when company is not null then 'company_id,' else '' end)
    into picked, fitting using patterns, company;
  return picked > 0 and fitting / picked * of_all > more_than;
end $$;
revoke execute on function wall.are_common(text, text, text[], uuid, integer) from public;

-- Open screens are told by the server whose request it was, once it has committed. Accounts and jobs have no such
-- server behind them: what they do is told by the database itself, with their commit.
create or replace function tell(topic text) returns void language plpgsql as $$
declare told text := coalesce(current_setting('app.told', true), '');
begin
  if session_user <> 'healthfund_request' then
    perform wall.tell_now(topic);
  elsif position(topic in told) = 0 then
    perform set_config('app.told', concat_ws(' ', nullif(told, ''), topic), true);
  end if;
end $$;
