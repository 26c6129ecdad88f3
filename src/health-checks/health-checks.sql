-- Health checks: who sees and sets up providers and times (docs/decisions/007-health-checks.md).

-- Whether whoever asks sets up a company's own checks, or the platform's (null).
create or replace function sets_up_checks_of(company uuid) returns boolean language sql stable
return case when company is null then actor_role() = 'super_admin'
  else actor_has('people') and company = actor_company() end;
grant execute on function sets_up_checks_of to healthfund_request;

create policy open_to_you on check_providers for select using (
  company_id = (select actor_company())
  or company_id is null and (select actor_role()) in ('employee', 'super_admin'));
create policy you_set_up on check_providers for insert with check (sets_up_checks_of(company_id));
create policy you_change on check_providers for update using (sets_up_checks_of(company_id));
grant select, insert (company_id, name, offers, place, note, time_zone),
  update (name, offers, place, note, time_zone)
  on check_providers to healthfund_request;
create or replace trigger audit after insert or update or delete on check_providers
  for each row execute function audited('version');
create or replace trigger as_one_line
  before insert or update of name, offers, place on check_providers
  for each row execute function private.keep_as_line('name', 'offers', 'place');
create or replace trigger next_version before update on check_providers
  for each row execute function private.raise_version();

create policy open_to_you on check_slots for select using (
  company_id = (select actor_company())
  or company_id is null and (select actor_role()) in ('employee', 'super_admin'));
create policy of_your_providers on check_slots for insert with check (
  exists (select from check_providers p where p.id = provider_id
    and p.company_id is not distinct from check_slots.company_id)
  and sets_up_checks_of(company_id));
grant select, insert (company_id, provider_id, starts_at, minutes, capacity) on check_slots
  to healthfund_request;
-- The record leaves out `taken`, as the history of a slot would tell who booked it.
create or replace trigger audit after insert or update or delete on check_slots
  for each row execute function audited('taken');

create policy your_own on check_bookings for select using (
  company_id = (select actor_company()) and person_id = (select actor_id()));
-- HR sees the people who come to checks that HR itself organises, and no others.
create policy those_who_come_to_yours on check_bookings for select using (
  (select actor_has('people')) and company_id = (select actor_company())
  and exists (select from check_slots s where s.id = slot_id
    and s.company_id = (select actor_company())));
grant select on check_bookings to healthfund_request;
