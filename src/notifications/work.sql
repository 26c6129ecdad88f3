-- The table of events: for each, who is told, by which switch of the settings it is mailed, how
-- fast, whether it is work that somebody is to do (then it is mailed only while it still waits, see
-- needs.sql), and where it leads. Its words stand under the same code in words.contract.ts.
--
-- `person`: whom the act names. A right, or two: those of the company who have it, of who is away
-- the deputy. `supers`: the provider's. `always`: no switch but that of all mails.
-- Security notices are mailed by the auth service at once, and no switch stops them.
-- For each code in this order. As one value, in which a code is looked up without going through
-- the table.
create or replace function private.event_plans() returns jsonb
language sql immutable
return jsonb '{
    "claim_approved": ["person", "claim_updates", "at_once", false, "/dashboard/my-claims/%"],
    "claim_approved_in_part":
      ["person", "claim_updates", "at_once", false, "/dashboard/my-claims/%"],
    "claim_rejected": ["person", "claim_updates", "at_once", false, "/dashboard/my-claims/%"],
    "claim_reversed": ["person", "claim_updates", "at_once", false, "/dashboard/my-claims/%"],
    "receipts_opened": ["person", "claim_updates", "at_once", false, "/dashboard/my-claims/%"],
    "claim_expired": ["person", "claim_updates", "at_once", false, "/dashboard/my-claims/%"],
    "question_asked": ["person", "claim_updates", "at_once", true, "/dashboard/my-claims/%"],
    "payment_returned": ["person", "claim_updates", "at_once", false, "/dashboard/my-claims"],
    "paid_out": ["person", "claim_updates", "at_once", false, "/dashboard/my-claims"],
    "settled": ["person", "claim_updates", "at_once", false, "/dashboard/my-claims"],
    "overpayment_settled": ["person", "claim_updates", "at_once", false, "/dashboard/my-claims"],
    "payment_blocked": ["person", "claim_updates", "at_once", false, "/dashboard/my-claims"],
    "payment_unblocked": ["person", "claim_updates", "at_once", false, "/dashboard/my-claims"],
    "fund_low": ["person", "fund_alerts", "at_once", false, "/dashboard/employee"],
    "money_expires": ["person", "fund_alerts", "at_once", false, "/dashboard/employee"],
    "allowance_lowered": ["person", "fund_alerts", "at_once", false, "/dashboard/my-money"],
    "allowance_raised": ["person", "fund_alerts", "at_once", false, "/dashboard/my-money"],
    "balance_adjusted": ["person", "fund_alerts", "at_once", false, "/dashboard/my-money"],
    "cover_changed": ["person", "always", "at_once", false, "/dashboard/dependents"],
    "dependent_approved": ["person", "always", "at_once", false, "/dashboard/dependents"],
    "dependent_declined": ["person", "always", "at_once", false, "/dashboard/dependents"],
    "child_ages_out": ["person", "always", "at_once", false, "/dashboard/dependents"],
    "last_day_set": ["person", "always", "at_once", false, "/dashboard/employee"],
    "last_day_removed": ["person", "always", "at_once", false, "/dashboard/employee"],
    "check_booked": ["person", "always", "at_once", false, "/dashboard/health-checks?booking=%"],
    "check_moved": ["person", "always", "at_once", false, "/dashboard/health-checks?booking=%"],
    "check_place_changed":
      ["person", "always", "at_once", false, "/dashboard/health-checks?booking=%"],
    "check_cancelled":
      ["person", "always", "at_once", false, "/dashboard/health-checks?booking=%"],
    "check_today": ["person", "always", "at_once", false, "/dashboard/health-checks?booking=%"],
    "check_tomorrow": ["person", "always", "at_once", false, "/dashboard/health-checks?booking=%"],
    "check_due": ["person", "health_tips", "at_once", false, "/dashboard/health-checks"],
    "account_approved": ["person", "always", "at_once", false, "/dashboard/%"],
    "account_declined": ["person", "always", "at_once", false, "/dashboard/employee"],
    "data_ready": ["person", "always", "at_once", true, "/dashboard/settings#data"],
    "data_failed": ["person", "always", "at_once", false, "/dashboard/settings#data"],
    "erasure_refused": ["person", "always", "at_once", false, "/dashboard/settings#data"],

    "claim_submitted": ["reviewer", "claim_updates", "morning", true, "/dashboard/claims"],
    "claim_answered": ["reviewer", "claim_updates", "morning", true, "/dashboard/claims/%"],
    "claim_appealed": ["reviewer", "claim_updates", "morning", true, "/dashboard/claims/%"],
    "claim_approved_step": ["reviewer", "claim_updates", "morning", true, "/dashboard/claims/%"],
    "claim_needs_second_admin":
      ["person", "claim_updates", "morning", true, "/dashboard/claims/%"],
    "claims_half_way": ["reviewer", "claim_updates", "morning", true, "/dashboard/claims%"],
    "claims_twice_overdue": ["person", "claim_updates", "morning", false, "/dashboard/%"],
    "claims_overdue": ["reviewer", "claim_updates", "morning", true, "/dashboard/claims%"],
    "standing_in": ["person", "always", "at_once", false, "/dashboard/claims"],
    "stood_in": ["person", "always", "at_once", false, "/dashboard/claims"],
    "absence_entered": ["person", "always", "at_once", false, "/dashboard/settings#away"],
    "back_again": ["person", "always", "at_once", false, "/dashboard/claims"],
    "step_away": ["owner", "always", "morning", true, "/dashboard/claims/policy"],
    "pay_run_made":
      ["finance", "claim_updates", "morning", true, "/dashboard/claims/payouts?payout=%"],
    "adjustment_waits": ["finance", "fund_alerts", "morning", true, "/dashboard/funds"],
    "company_account_changed": ["owner", "always", "at_once", false, "/dashboard/audit"],
    "category_used": ["finance", "fund_alerts", "morning", false, "/dashboard/funds"],
    "contribution_recorded":
      ["finance owner", "fund_alerts", "at_once", false, "/dashboard/funds"],
    "contribution_reversed":
      ["finance owner", "fund_alerts", "at_once", false, "/dashboard/funds"],
    "join_requested": ["people", "always", "morning", true, "/dashboard/employees"],
    "admin_requested": ["owner", "always", "morning", true, "/dashboard/employees"],
    "dependent_waits": ["people", "always", "morning", true, "/dashboard/employees"],
    "erasure_waits": ["people", "always", "morning", true, "/dashboard/erasures"],
    "erasure_granted": ["people", "always", "morning", false, "/dashboard/erasures"],
    "import_waits": ["people", "always", "morning", true, "/dashboard/employees/file"],
    "people_source_set": ["owner", "always", "at_once", false, "/dashboard/connections"],
    "people_fetch_failed": ["owner", "always", "at_once", false, "/dashboard/connections"],
    "people_fetched": ["people", "always", "at_once", false, "/dashboard/employees/file"],
    "leaver_limit_raised": ["owner", "always", "at_once", false, "/dashboard/employees/file"],
    "api_key_made": ["owner", "always", "at_once", false, "/dashboard/connections"],
    "api_key_renewed": ["owner", "always", "at_once", false, "/dashboard/connections"],
    "api_key_ends": ["owner", "always", "morning", false, "/dashboard/connections"],
    "api_key_stopped": ["owner", "always", "at_once", false, "/dashboard/connections"],
    "domain_proven": ["owner", "always", "at_once", false, "/dashboard/connections"],
    "sso_changed": ["owner", "always", "at_once", false, "/dashboard/connections"],
    "sso_refused": ["owner", "always", "at_once", false, "/dashboard/connections"],
    "webhook_made": ["owner", "always", "at_once", false, "/dashboard/connections"],
    "webhook_changed": ["owner", "always", "at_once", false, "/dashboard/connections"],
    "webhook_stopped": ["owner", "always", "at_once", false, "/dashboard/connections"],
    "company_active": ["owner", "always", "at_once", false, "/dashboard/company-admin"],

    "company_founded":
      ["supers", "always", "morning", true, "/dashboard/companies?status=pending"],
    "super_requested": ["supers", "always", "morning", true, "/dashboard/users?status=pending"],
    "inquiry": ["supers", "always", "at_once", true, "/dashboard/inquiries"],
    "rights_removed": ["person", "always", "at_once", false, "/dashboard/employee"],
    "right_given": ["person", "always", "at_once", false, "/dashboard/settings"],
    "right_ended": ["person", "always", "at_once", false, "/dashboard/settings"],
    "right_waits": ["person", "always", "at_once", true, "/dashboard/settings#rights"],
    "admin_waits": ["person", "always", "at_once", false, "/dashboard/settings#rights"],
    "admin_by_provider": ["person", "always", "at_once", false, "/dashboard/settings"],
    "right_given_there": ["supers", "always", "at_once", false, "/dashboard/companies/%"],
    "admin_removed": ["supers", "always", "at_once", false, "/dashboard/companies/%"],
    "admin_made": ["supers", "always", "at_once", false, "/dashboard/companies/%"],
    "report_ready": ["supers", "always", "at_once", false, "/dashboard/reports"],

    "password_changed": ["person", "security", "at_once", false, "/dashboard/settings#security"],
    "email_changed": ["person", "security", "at_once", false, "/dashboard/settings#security"],
    "two_step_on": ["person", "security", "at_once", false, "/dashboard/settings#security"],
    "two_step_off": ["person", "security", "at_once", false, "/dashboard/settings#security"],
    "two_step_reset": ["person", "security", "at_once", false, "/dashboard/settings#security"],
    "factor_added": ["person", "security", "at_once", false, "/dashboard/settings#security"],
    "factor_removed": ["person", "security", "at_once", false, "/dashboard/settings#security"],
    "codes_made": ["person", "security", "at_once", false, "/dashboard/settings#security"],
    "code_used": ["person", "security", "at_once", false, "/dashboard/settings#security"],
    "taken_in": ["person", "security", "at_once", false, "/dashboard/settings#security"],
    "payout_account_changed":
      ["person", "security", "at_once", false, "/dashboard/settings#security"],
    "new_device": ["person", "security", "at_once", false, "/dashboard/settings#security"]
  }';

create or replace function private.events()
returns table (code text, whose text, switch text, pace text, is_work boolean, path text)
language sql immutable
begin atomic
  select e.code, e.plan ->> 0, e.plan ->> 1, e.plan ->> 2, (e.plan -> 3)::boolean, e.plan ->> 4
    from jsonb_each(private.event_plans()) e (code, plan);
end;

create or replace function private.is_work(code text) returns boolean
language sql immutable
return (private.event_plans() -> code -> 3)::boolean;

-- The switch of the settings by which a need is mailed in the morning: that of its event, where it
-- has one. Of the others these have one; `always` has none but that of all mails.
create or replace function private.switch_of_need(kind text) returns text
language sql immutable
return coalesce(private.event_plans() -> kind ->> 1, case
  when kind in ('claim_waits_a_day', 'claim_lacks_reviewer', 'payout_to_make',
    'withheld_to_give_back', 'overpayment', 'company_account', 'account_missing', 'appeal_ends')
    then 'claim_updates'
  when kind in ('money_to_allocate', 'grants_wait') then 'fund_alerts' else 'always' end);

-- Seven in the morning of the next working day, where the person is: nobody decides on a weekend or
-- holiday, and notices gather until then.
create or replace function private.next_morning(at timestamptz, zone text, off date[])
returns timestamptz language sql stable
return (select (min(d.day)::date + time '07:00') at time zone zone
  from generate_series(((at at time zone zone) - interval '7 hours')::date + 1,
    (at at time zone zone)::date + 30, interval '1 day') d (day)
  where is_weekday(d.day::date) and d.day::date <> all (off));

-- The kind of a notification, which has the icon of its line.
create or replace function private.notification_kind(switch text, path text) returns text
language sql immutable
return case when path like '/dashboard/health-checks%' then 'health' else case switch
  when 'claim_updates' then 'claims' when 'fund_alerts' then 'funds' else 'account' end end;

-- The page of an event; `subject` replaces the % of its path, and is required if there is one.
create or replace function private.event_path(code text, subject text) returns text
language sql immutable
return (select case when p.path like '%\%%' then replace(p.path, '%', subject) else p.path end
  from (select private.event_plans() -> code ->> 4 as path) p);

-- The only writer of notifications, by the table: to which page, by which switch, and when mailed.
-- Claims of an erased person notify nobody.
create or replace function private.notify(people uuid[], code text, facts jsonb default '{}',
  subject text default null, about uuid default null) returns void
language plpgsql set search_path = public, pg_catalog, pg_temp as $$
declare
  plan constant jsonb := private.event_plans() -> code;
  leads_to constant text := private.event_path(code, subject);
  by_auth constant boolean := plan ->> 1 = 'security';
begin
  insert into notifications (person_id, about_id, kind, code, facts, path, mail_at, mailed_at)
    select p.id, notify.about, private.notification_kind(plan ->> 1, leads_to), notify.code,
        notify.facts, leads_to,
        case when by_auth then null when plan ->> 2 = 'morning' then private.next_morning(now(),
          coalesce(c.time_zone, 'UTC'), coalesce(private.days_off(c.id), '{}')) else now() end,
        case when by_auth then now() end
      from profiles p left join companies c on c.id = p.company_id
      where p.id = any (people) and p.erased_at is null;
  perform publish('person:' || p.id) from unnest(people) p (id);
end $$;

-- Notifies people, except those who have the same notice unread.
create or replace function private.notify_all_of(what text, people uuid[],
  number bigint default null, about uuid default null, name text default null) returns void
language sql set search_path = public, pg_catalog, pg_temp as $$
  select private.notify(array(select p.id from unnest(people) p (id)
      where not exists (select from notifications n
        where n.person_id = p.id and n.read_at is null and n.code = what
          and n.path = private.event_path(what, number::text)
          and n.about_id is not distinct from notify_all_of.about)),
    what, jsonb_strip_nulls(jsonb_build_object('number', number, 'company', name)),
    number::text, about)
$$;

-- Notifies people of work that now waits for them, except the person who caused it.
create or replace function private.notify_of_work(what text, company uuid,
  number bigint default null, about uuid default null, name text default null) returns void
language sql set search_path = public, pg_catalog, pg_temp as $$
  select private.notify_all_of(what, array(
      select d.id from private.events() e,
          private.deciders(e.whose, company, actor_id()) d (id)
        where e.code = what and d.id is distinct from about
      union all select s.id from private.events() e, profiles s
        where e.code = what and e.whose = 'supers' and s.role = 'super_admin'
          and s.status = 'active' and s.id is distinct from actor_id()), number, about, name)
$$;

create or replace function private.reviewers_of(c claims) returns setof uuid
language plpgsql stable set search_path = public, pg_catalog, pg_temp as $$
declare
  people uuid[] := case when c.by_name then step_people(c) end;
begin
  if people is not null then
    return query select unnest(coalesce(nullif(available_people(c, people), '{}'), people));
    return;
  end if;
  people := array(select d.id from private.deciders('reviewer', c.company_id, actor_id()) d (id)
    where d.id <> all (c.passed_by || c.person_id) and d.id is distinct from c.rejected_by);
  if people = '{}' then
    people := array(select h.id from private.holders(c.company_id, 'reviewer') h (id)
      where h.id <> all (c.passed_by || c.person_id) and h.id is distinct from actor_id()
        and h.id is distinct from c.rejected_by);
  end if;
  -- If nobody else is left to decide on the appeal, it is for the reviewer who rejected the claim.
  if people = '{}' and c.rejected_by is distinct from actor_id() then
    people := array(select h.id from private.holders(c.company_id, 'reviewer') h (id)
      where h.id = c.rejected_by and h.id <> c.person_id);
  end if;
  return query select unnest(people);
end $$;

-- Whether every reviewer has an unread notice of submitted claims: a further claim then notifies
-- nobody. Asked first, because finding out which reviewers are here today takes many times as long.
create or replace function private.reviewers_know(company uuid) returns boolean
language sql stable
return not exists (select from rights_now r
  where r.company_id = company and r.kind = 'reviewer' and not exists (select from notifications n
    where n.person_id = r.person_id and n.read_at is null and n.code = 'claim_submitted'));

-- Notifies those whom the next step of a waiting claim names, or else all reviewers.
create or replace function private.notify_reviewers(what text, c claims) returns void
language sql set search_path = public, pg_catalog, pg_temp as $$
  select private.notify_all_of(what, array(
      select d.id from private.reviewers_of(c) d (id)),
    case when what <> 'claim_submitted' then c.id end)
$$;
