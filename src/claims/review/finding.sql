-- Finding claims by the provider's name at any size.

-- Up to `at_most` claims of these states; null if there are more: then reading the queue in its
-- order finds a page of them sooner. Fewer than three letters make no trigram, so they are searched
-- among people alone.
create or replace function find_claims(words text[], statuses text[], categories text[],
  at_most integer)
returns bigint[]
language plpgsql security definer set search_path = public, pg_catalog, pg_temp as $$
declare
  patterns text[] := array(select '%' || regexp_replace(w, '([%_\\])', '\\\1', 'g') || '%'
    from unnest(words) w order by length(w) desc);
  fits text := 'company_id = $2 and status = any ($3) and category = any ($4) and '
    || (select string_agg(format('without_accents(provider) like ($1)[%s]', at), ' and ')
      from generate_subscripts(patterns, 1) at);
  plan json;
  found_ids bigint[];
begin
  if not actor_has('reviewer') then perform private.refuse('forbidden');
    end if;
  if length(patterns[1]) < 5 then return '{}'; end if;
  execute 'explain (format json) select from claims where ' || fits
    into plan using patterns, actor_company(), statuses, categories;
  if (plan -> 0 -> 'Plan' ->> 'Plan Rows')::numeric > at_most * 2 then return null; end if;
  execute 'select array(select id from claims where ' || fits || ' limit $5)'
    into found_ids using patterns, actor_company(), statuses, categories, at_most + 1;
  return case when cardinality(found_ids) <= at_most then found_ids end;
end $$;

grant execute on function find_claims to healthfund_request;
