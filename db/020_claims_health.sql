-- How processing claims stands, for the provider's panel: how many, never whose.

create or replace function wall.claims_under_way() returns jsonb
language sql stable set search_path = public, pg_catalog
begin atomic
  select jsonb_build_object(
    'waiting', (select coalesce(sum(claims), 0) from (
      select claims from claim_totals where status = 'pending'
      union all select claims from claim_changes where status = 'pending') c),
    'overdue', (select count(*) from claims where overdue),
    -- The overdue are few, and first among the others is who is due first, near enough.
    'oldest_at', least((select min(submitted_at) from claims where overdue), (select min(submitted_at)
      from (select submitted_at from claims where due_at is not null and not overdue
        order by due_at limit 100) w)));
end;
