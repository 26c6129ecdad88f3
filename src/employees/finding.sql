-- Finding people by words at any size.

-- Whether a sample says that more than so many fit. Ids are random: whoever comes first by id is
-- picked by chance.
create or replace function private.matches_many(here text, fits text, patterns text[], company uuid,
  more_than integer)
returns boolean language plpgsql stable set search_path = public, pg_catalog, pg_temp
set enable_seqscan = off set enable_bitmapscan = off set enable_sort = off as $$
declare
  picked numeric;
  fitting numeric;
  of_all numeric;
begin
  select sum(h.pending + h.active + h.suspended + h.has_left) into of_all from headcounts h
    where company is null or h.company_id = company;
  execute format('select count(*), count(*) filter (where %s) from (
      select company_id, search_text from profiles where %s order by %s id limit 700) sample',
      fits, here, case when company is not null then 'company_id,' else '' end)
    into picked, fitting using patterns, company;
  return picked > 0 and fitting / picked * of_all > more_than;
end $$;
