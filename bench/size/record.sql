-- The record of changes of claims, their receipts and payments.
insert into audit_log (company_id, at, actor_id, actor_role, address, request_id, act, table_name, row_id, before, after)
  with entries (place, part, company_id, at, actor_id, actor_role, act, table_name, row_id, before,
    after) as (
    select place, 1, company_id, at, person_id, 'employee', 'insert', 'receipts', receipt_id::text, null::jsonb,
        format('{"id": "%s", "pages": 1, "width": 1400, "height": 1983, "person_id": "%s",
          "company_id": "%s", "created_at": "%s", "media_type": "image/jpeg", "restricted": false, "size_bytes": %s,
          "blacked_times": 0}', receipt_id, person_id, company_id, sent_at, 200000 + h % 90000)::jsonb
      from size.step where no = 1
    union all
    select place, 2, company_id, at, person_id, 'employee', 'insert', 'claims', claim_id::text, null,
        format('{"id": %s, "stage": "first_review", "status": "pending", "undone": 0, "attempt": 1, "receipts": 1,
          "reminded": 0, "automatic": false, "passed_by": [], "person_id": "%s", "plan_year": "%s", "bill_cents": %s,
          "company_id": "%s", "amount_cents": %s, "submitted_at": "%s", "policy_version": 1}',
          claim_id, person_id, plan_year, cents, company_id, cents, sent_at)::jsonb
      from size.step where no = 1
    union all
    select place, 3, company_id, at, person_id, 'employee', 'update', 'receipts', receipt_id::text,
        '{"claim_id": null}', format('{"claim_id": %s}', claim_id)::jsonb
      from size.step where no = 1
    union all
    select place, 1, company_id, at, case when automatic or status = 'withdrawn' then person_id else maker end,
        case when automatic or status = 'withdrawn' then 'employee' else 'company_admin' end, 'update', 'claims',
        claim_id::text, case status
          when 'approved' then '{"stage": "first_review", "status": "pending", "payment": null, "reviewed_at": null, "reviewed_by": null, "approved_cents": null}'
          else '{"stage": "first_review", "status": "pending", "reviewed_at": null, "reviewed_by": null}' end::jsonb,
        case status when 'approved' then format('{"stage": null, "status": "approved", "payment": "unpaid",
            "reviewed_at": "%s", "reviewed_by": "%s", "approved_cents": %s}', at, maker, cents)
          else format('{"stage": null, "status": "%s", "reviewed_at": "%s", "reviewed_by": "%s"}', status, at, maker)
          end::jsonb
      from size.step where no = 2
    union all
    select place, 1, company_id, at, maker, 'company_admin', 'update', 'claims', claim_id::text,
        '{"run_id": null, "payment": "unpaid"}', format('{"run_id": %s, "payment": "in_run"}', run_id)::jsonb
      from size.step where no = 3
    union all
    select place, 2, company_id, at, maker, 'company_admin', 'insert', 'pay_items', '', null,
        format('{"claims": %s, "run_id": %s, "person_id": "%s", "company_id": "%s", "paid_cents": %s,
          "claims_cents": %s, "credit_cents": 0, "withheld_cents": 0}',
          claims, run_id, person_id, company_id, cents, cents)::jsonb
      from size.item where no = 3
    union all
    select place, 1, company_id, at, checker, 'company_admin', 'update', 'claims', claim_id::text,
        '{"paid_on": null, "payment": "in_run"}', format('{"paid_on": "%s", "payment": "paid"}', at::date)::jsonb
      from size.step where no = 4)
  select company_id, at, actor_id, actor_role, '203.0.113.7', md5(place || ' ' || at)::uuid, act, table_name, row_id,
      before, after
    from entries order by place, part;
