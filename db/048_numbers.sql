-- Claims and payouts are counted by each company. What has a number keeps it: a company that has
-- any goes on above the highest of the installation, so that no number is given twice.
do $$
declare
  thing text;
  above bigint;
  company uuid;
begin
  foreach thing in array array['claims', 'pay_runs'] loop
    execute format('select coalesce(max(id), 0) + 1 from %I', thing) into above;
    execute format('alter table %I alter id drop identity', thing);
    for company in execute format('select distinct company_id from %I', thing) loop
      execute format('create sequence private.%I start %s',
        thing || '_of_' || translate(company::text, '-', ''), above);
    end loop;
  end loop;
end $$;

comment on column claims.id is 'The number people see, counted by each company in a sequence of its own, with gaps: a counter that is locked would make a company''s claims queue.';
comment on column pay_runs.id is 'Counted by each company, as claims are.';
