-- Finding people by words at any size.

-- Whether a sample shows that more than this many people match. Ids are random, so the first by id
-- are a random sample.
create or replace function private.matches_many(of_company text, fits text, patterns text[],
  company uuid, more_than integer)
returns boolean language plpgsql stable set search_path = public, pg_catalog, pg_temp
set enable_seqscan = off set enable_bitmapscan = off set enable_sort = off as $$
declare
  picked numeric;
  fitting numeric;
  of_all numeric;
begin
  select sum(h.pending + h.active + h.suspended + h.leavers) into of_all from headcounts h
    where company is null or h.company_id = company;
  execute format('select count(*), count(*) filter (where %s) from (
      select company_id, search_text from profiles where %s order by %s id limit 700) sample',
      fits, of_company, case when company is not null then 'company_id,' else '' end)
    into picked, fitting using patterns, company;
  return picked > 0 and fitting / picked * of_all > more_than;
end $$;

-- Finds up to `at_most` people by parts of name or email; null if there are more: reading the list
-- in its own order then meets a page of them sooner than gathering them all.
create or replace function find_people(words text[], company uuid, at_most integer) returns uuid[]
language plpgsql security definer set search_path = public, pg_catalog, pg_temp as $$
declare
  patterns text[] := array(select '%' || regexp_replace(w, '([%_\\])', '\\\1', 'g') || '%'
    from unnest(words) w order by length(w) desc);
  of_company text := case when company is not null then 'company_id = $2'
    else '$2::uuid is null' end;
  fits text := of_company || ' and ' || (
    select string_agg(format('search_text like ($1)[%s]', at), ' and ')
    from generate_subscripts(patterns, 1) at);
  plan json;
  found_ids uuid[];
begin
  if not (actor_role() = 'super_admin'
      or actor_has('people', 'reviewer', 'auditor') and company is not null
        and company = actor_company()) then
    perform private.refuse('forbidden');
  end if;
  if length(patterns[1]) < 5 then return null; end if; -- fewer than three letters have no trigram
  execute 'explain (format json) select from profiles where ' || fits into plan using patterns,
    company;
  if (plan -> 0 -> 'Plan' ->> 'Plan Rows')::numeric > at_most / 2
      and private.matches_many(of_company, fits, patterns, company, at_most * 3 / 2) then
    return null;
  end if;
  execute 'select array(select id from profiles where ' || fits || ' limit $3)'
    into found_ids using patterns, company, at_most + 1;
  return case when cardinality(found_ids) <= at_most then found_ids end;
end $$;

grant execute on function find_people to healthfund_request;
