-- Data no key sees, whatever its rights and whatever a handler forgets: health content, family,
-- bank accounts, the record, notifications, its maker's own settings and what their acts answered.
-- (Written as `<> 'key'`, which the planner expects to be nearly always true: with `is null` it
-- would expect one row in two hundred.)

-- Audited tables that a key with a right to write may change.
create or replace function private.refuse_of_key(table_name text) returns void
language plpgsql stable set search_path = public, pg_catalog, pg_temp as $$
begin
  if table_name <> all (array['profiles', 'check_slots', case acting_right()
      when 'people:provision' then 'scim_groups' else 'imports' end]) then
    perform private.refuse('forbidden');
  end if;
end $$;

-- Acts on a person that a key has: an identity provider moves people's addresses, one that writes
-- people shuts them out, lets them in again and writes to them.
create or replace function private.refuse_act_of_key(act text) returns void
language plpgsql stable set search_path = public, pg_catalog, pg_temp as $$
begin
  if asked_by() = 'key' and act <> all (case acting_right()
      when 'people:provision' then array['edit', 'correct_address']
      else array['edit', 'suspend', 'reactivate', 'resend'] end) then
    perform private.refuse('forbidden');
  end if;
end $$;

create policy no_key on claims as restrictive using ((select asked_by()) <> 'key');
create policy no_key on claim_events as restrictive using ((select asked_by()) <> 'key');
create policy no_key on claim_limits as restrictive using ((select asked_by()) <> 'key');
create policy no_key on claim_types as restrictive using ((select asked_by()) <> 'key');
create policy no_key on receipts as restrictive using ((select asked_by()) <> 'key');
create policy no_key on receipt_openings as restrictive using ((select asked_by()) <> 'key');
create policy no_key on dependents as restrictive using ((select asked_by()) <> 'key');
create policy no_key on dependent_events as restrictive using ((select asked_by()) <> 'key');
create policy no_key on family_rules as restrictive using ((select asked_by()) <> 'key');
create policy no_key on preferences as restrictive using ((select asked_by()) <> 'key');
create policy no_key on check_bookings as restrictive using ((select asked_by()) <> 'key');
create policy no_key on check_slots as restrictive for insert
  with check ((select asked_by()) <> 'key');
create policy no_key on bank_accounts as restrictive using ((select asked_by()) <> 'key');
create policy no_key on company_accounts as restrictive using ((select asked_by()) <> 'key');
create policy no_key on pay_items as restrictive using ((select asked_by()) <> 'key');
create policy no_key on pay_claims as restrictive using ((select asked_by()) <> 'key');
create policy no_key on payment_blocks as restrictive using ((select asked_by()) <> 'key');
create policy no_key on balance_adjustments as restrictive using ((select asked_by()) <> 'key');
create policy no_key on answered_requests as restrictive using ((select asked_by()) <> 'key');
create policy no_key on notifications as restrictive using ((select asked_by()) <> 'key');
create policy no_key on data_exports as restrictive using ((select asked_by()) <> 'key');
create policy no_key on erasures as restrictive using ((select asked_by()) <> 'key');
create policy no_key on audit_log as restrictive using ((select asked_by()) <> 'key');
create policy no_key on api_keys as restrictive using ((select asked_by()) <> 'key');
create policy no_key on api_key_secrets as restrictive using ((select asked_by()) <> 'key');
create policy no_key on people_sources as restrictive using ((select asked_by()) <> 'key');
create policy no_key on people_fetches as restrictive using ((select asked_by()) <> 'key');
create policy no_key on webhooks as restrictive using ((select asked_by()) <> 'key');
create policy no_key on webhook_secrets as restrictive using ((select asked_by()) <> 'key');
create policy no_key on webhook_deliveries as restrictive using ((select asked_by()) <> 'key');
create policy no_key on person_notes as restrictive using ((select asked_by()) <> 'key');
create policy no_key on company_rights as restrictive using ((select asked_by()) <> 'key');
create policy no_key on absences as restrictive using ((select asked_by()) <> 'key');
create policy no_key on company_domains as restrictive using ((select asked_by()) <> 'key');
create policy no_key on identity_providers as restrictive using ((select asked_by()) <> 'key');
create policy no_key on domain_claims as restrictive using ((select asked_by()) <> 'key');
create policy no_key on book_codes as restrictive using ((select asked_by()) <> 'key');
create policy no_key on scim_settings as restrictive using ((select asked_by()) <> 'key');
create policy no_key on scim_calls as restrictive using ((select asked_by()) <> 'key');
-- The identity provider's names for people are visible to it alone.
create policy its_own_right on scim_people as restrictive using (
  (select acting_right()) in ('', 'people:provision'));
create policy its_own_right on scim_groups as restrictive using (
  (select acting_right()) in ('', 'people:provision'));
create policy its_own_right on scim_members as restrictive using (
  (select acting_right()) in ('', 'people:provision'));
