-- Claims as they have become, with a receipt each, and what their people were told.
insert into claims (company_id, id, person_id, category, type_id, type_name, provider, service_on, plan_year, bill_cents,
    amount_cents, approved_cents, receipts, status, stage, payment, automatic, policy_version, spot_check_draw, receipt_agrees,
    submitted_at, due_at, overdue, reviewed_by, reviewed_at, run_id, paid_on, version)
  select company_id, claim_id, person_id, category, type_id, type_name, provider, sent_at::date, plan_year, cents, cents,
      case status when 'approved' then cents end, 1, status, case status when 'pending' then 'first_review' end,
      case when is_paid then 'paid' when is_put then 'in_run' when status = 'approved' then 'unpaid' end,
      automatic, 1, g / 7 % 100, automatic, sent_at, case status when 'pending' then sent_at + interval '3 days' end,
      status = 'pending' and sent_at + interval '3 days' < now(),
      case when status in ('approved', 'rejected') and not automatic then maker end,
      case when status <> 'pending' then answered_at end, case when is_put then run_id end,
      case when is_paid then paid_at::date end,
      case when is_paid then 4 when is_put then 3 when status = 'pending' then 1 else 2 end
    from size.step where no = 1 order by place;

insert into receipts (company_id, person_id, claim_id, id, file_name, media_type, size_bytes, sha256, likeness, pages,
    width, height, storage_key, file_key, wrapped_key, parts, read_state, read_touched_at, read_amount_cents,
    read_currency, read_on, read_provider, created_at)
  select company_id, person_id, claim_id, receipt_id, 'receipt-' || sent_at::date || '.jpg', 'image/jpeg', 200000 + h % 90000,
      sha256(uuid_send(receipt_id)), hashint8extended(h::bigint * pn, j) , 1, 1400, 1983,
      company_id || '/' || left(receipt_id::text, 2) || '/' || receipt_id, (select file_key from size.base),
      sha256(uuid_send(receipt_id)) || substr(sha256(uuid_send(person_id)), 1, 28),
      jsonb_build_object('file', array[32836, 200000 + h % 90000], 'small', array[0, 2096], 'large-1', array[2096, 30740]),
      'read', sent_at, cents, 'EUR', sent_at::date, provider, sent_at - interval '2 minutes'
    from size.step
    where no = 1 order by place;

insert into notifications (person_id, kind, code, facts, path, at, mailed_at, mail_at, read_at)
  select person_id, 'claims', 'claim_' || status, jsonb_build_object('claim', claim_id, 'claimed_cents', cents,
      'approved_cents', case status when 'approved' then cents end, 'currency', 'EUR'),
      '/dashboard/my-claims/' || claim_id, at, at, at, case when h % 5 > 0 then at + interval '1 day' end
    from size.step where no = 2 and status <> 'withdrawn' order by place;

insert into notifications (person_id, kind, code, facts, path, at, mailed_at, mail_at, read_at)
  select person_id, 'claims', 'paid_out', jsonb_build_object('cents', cents, 'currency', 'EUR', 'claims', claims,
      'withheld_cents', 0), '/dashboard/my-claims', at, at, at, at + interval '1 day'
    from size.item where no = 4 order by place;
