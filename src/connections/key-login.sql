-- The login of keys: a company's own system asks as `healthfund_key`. It never sees or does what is
-- not granted here, even if a handler forgets a check. src/permissions/key-rights.ts has the acts;
-- key-login.test.ts proves that they need every grant.

-- Functions by which the login becomes a key and takes up its rights, and those that row rules and
-- triggers call.
grant execute on function become_key, act_with, actor, actor_role, actor_id, actor_company,
  actor_has, actor_sees_people, admin_rights, actor_for_company, company_today, current_plan_year,
  publish, without_accents to healthfund_key;
grant select on companies, profiles to healthfund_key;

-- people:read
grant select on departments, headcounts, headcount_days, employee_groups, employee_group_people
  to healthfund_key;
grant execute on function find_people, people_in_group, group_in_use, group_refusals,
  empty_departments, about_employee, never_came, has_own_account, person_refusals, person_refusal,
  giving_refusal, details_refusals to healthfund_key;

-- people:write
grant update (full_name, phone, department) on profiles to healthfund_key;
grant select on imports, import_rows, people_lists to healthfund_key;
grant execute on function add_person, edit_employment, number_person, suspend_person,
  reactivate_person, invite_again, open_import, stage_rows, check_import, discard_import,
  start_import, undo_import, import_refusal, leavers_refusal, is_rejected, people_list_of,
  settling_time, key_name, record_download to healthfund_key;

-- people:provision
grant select on scim_users, scim_people, scim_groups, scim_members to healthfund_key;
grant execute on function email_domain, scim_dry_run, scim_domains, scim_people_named,
  scim_deleted_person, scim_add_person, scim_lock, scim_leave, scim_come_back, scim_move_address,
  scim_name_person, scim_forget_person, scim_lock_group, scim_add_group, scim_change_group,
  scim_move_members, scim_remove_group to healthfund_key;
create policy of_its_provider_to_edit on profiles for update to healthfund_key using (
  (select actor_has('provision')) and company_id = (select actor_company())
  and role = 'employee' and not has_rights);
create policy of_its_provider on scim_people for select to healthfund_key using (
  (select actor_has('provision')) and company_id = (select actor_company()));
create policy of_its_provider on scim_groups for select to healthfund_key using (
  (select actor_has('provision')) and company_id = (select actor_company()));
create policy of_its_provider on scim_members for select to healthfund_key using (
  (select actor_has('provision')) and company_id = (select actor_company()));

-- funds:read
grant select on plan_years, accounts, category_funds, fund_changes, fund_totals, waiting_totals,
  regrants to healthfund_key;
grant select (company_id, id, from_account, to_account, from_balance_cents, to_balance_cents,
  posted_at) on transfers to healthfund_key;
grant execute on function percent_of, used_kinds, year_refusal to healthfund_key;
create policy of_its_company on accounts for select to healthfund_key using (
  (select actor_has('funds')) and company_id = (select actor_company()));
create policy of_its_company on transfers for select to healthfund_key using (
  (select actor_has('funds')) and company_id = (select actor_company()));
create policy of_its_company on waiting_totals for select to healthfund_key using (
  (select actor_has('funds')) and company_id = (select actor_company()));
create policy of_its_company on regrants for select to healthfund_key using (
  (select actor_has('funds')) and company_id = (select actor_company()));

-- An account, too, says whose it is.
create policy of_its_company on profiles for select to healthfund_key using (
  (select actor_has('provision', 'funds')) and company_id = (select actor_company()));

-- claims:read
grant execute on function plain_claims to healthfund_key;
