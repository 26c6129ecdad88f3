-- What was checked when a claim was decided is kept as codes with facts. What was written as a sentence keeps
-- what it told: by its code where all its facts are known, else as it stood.
update claim_events e set trace = coalesce((
  select jsonb_agg(
      case when n.code is null then jsonb_build_object('rule', 'earlier', 'outcome', s.step -> 'outcome',
          'facts', jsonb_build_object('title', s.step -> 'rule', 'says', s.step -> 'says'))
        else jsonb_build_object('rule', n.code, 'outcome', s.step -> 'outcome',
          'facts', coalesce(s.step -> 'facts', '{}') || coalesce(n.more, '{}')) end order by s.at)
    from jsonb_array_elements(e.trace) with ordinality s (step, at)
      cross join lateral (select s.step ->> 'says' as says) t
      left join lateral (values
        (array['Amount and bill', 'Not more than the bill'], 'amount_and_bill', null::jsonb),
        (array['Type of claim', 'A type of this category'], 'type_of_claim',
          jsonb_build_object('type', c.type_name)),
        (array['Who it is for', 'Solidarity is for dependents'], 'for_oneself', null),
        (array['Dependent'], 'dependent', jsonb_build_object('name', substr(t.says, 5))),
        (array['Service date', 'Not in the future'], 'service_date', null),
        (array['Plan year', 'Inside a plan year'], 'plan_year',
          jsonb_build_object('plan_year', c.plan_year)),
        (array['Employment', 'While employed'], 'employment',
          jsonb_build_object('service_on', c.service_on)),
        (array['Filing deadline', 'Filed in time'], 'filing_deadline', null),
        (array['Available balance', 'Enough is left'], 'available_balance', null),
        (array['Receipt', 'A receipt, where one is needed'], 'receipt', null),
        (array['Receipt used before', 'Not the same receipt again'], 'receipt_is_new', null),
        (array['Automatic approval limit', 'Small enough to be approved by itself'],
          'automatic_limit', null),
        (array['Receipt match', 'The receipt says the same'], 'receipt_match',
          jsonb_build_object('found', case t.says
            when 'Amount and date match the receipt' then 'agrees'
            when 'Amount and day were read from the receipt' then 'agrees'
            when 'No receipt to compare with' then 'none'
            when 'The receipt is still being read' then 'being_read' else 'differs' end)),
        (array['Possible duplicates', 'No other claim like it'], 'duplicates', null),
        (array['Automatic approvals this month', 'Not too many by themselves in a month'],
          'automatic_this_month', jsonb_build_object('at_most',
            substring(t.says from 'of at most (\d+) ')::integer)),
        (array['Spot check', 'Not drawn for a spot check'], 'spot_check', null),
        (array['Automatic approval', 'Approved by itself'], 'automatic_approval',
          jsonb_build_object('amount_cents', c.amount_cents)),
        (array['Approvals needed', 'Who decides'], 'approvals_needed', null)
      ) n (titles, code, more) on s.step ->> 'rule' = any (n.titles)
        and not (n.code in ('amount_and_bill', 'service_date', 'filing_deadline', 'available_balance',
          'receipt', 'automatic_limit', 'duplicates', 'spot_check', 'approvals_needed')
          and coalesce(s.step -> 'facts', '{}') = '{}')
        and not (n.code = 'automatic_this_month' and t.says !~ 'of at most \d+ ')
        and not (n.code = 'dependent' and t.says !~ '^For ')
        and not (n.code = 'for_oneself' and t.says !~ '^For the employee')), '[]')
  from claims c
  where c.company_id = e.company_id and c.id = e.claim_id and jsonb_typeof(e.trace) = 'array'
    and exists (select from jsonb_array_elements(e.trace) s (step) where s.step ? 'says');

-- Why a row of a file is not taken: what stood alone has its code, what was several sentences stays readable.
update import_rows r set reason = n.code
  from (values ('This row is too long', 'too_long'),
    ('A quote is opened here and never closed: everything after it was read as this row', 'open_quote'),
    ('This looks like a formula', 'formula'), ('Unreadable characters', 'odd_characters'),
    ('Invalid email address', 'email'), ('Name must be at least 2 characters', 'full_name'),
    ('Phone must be at least 10 characters', 'phone'), ('Department required', 'department')
  ) n (sentence, code)
  where r.reason = n.sentence;
