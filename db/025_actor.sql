-- The same seal, reckoned where it is looked at: every row rule asks for it, and calling another function for it
-- took longer than the reckoning.
create or replace function actor() returns text
language plpgsql stable security definer set search_path = pg_catalog as $$
declare
  claimed text := current_setting('app.actor', true);
  seal bytea;
begin
  if coalesce(claimed, '') = '' then return ''; end if;
  select sha256(s.secret || convert_to(
      claimed || pg_backend_pid() || extract(epoch from transaction_timestamp()), 'UTF8'))
    into seal from wall.secret s;
  if encode(seal, 'hex') is distinct from current_setting('app.seal', true) then
    raise exception 'the actor of this transaction was not set by become()' using errcode = '42501';
  end if;
  return claimed;
end $$;
