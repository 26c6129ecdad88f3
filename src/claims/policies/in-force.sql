-- The policy in force. Without settings of its own, so that PostgreSQL inlines it.
create or replace function private.policy_in_force(company uuid) returns setof claim_policies
language sql stable
begin atomic
  select * from claim_policies p where p.company_id = company order by p.version desc limit 1;
end;
