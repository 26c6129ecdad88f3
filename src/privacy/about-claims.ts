// Data about a person: what they claimed, with which receipts, and who looked at them.

export type DataEntry = {
  /** The key in data.json and the name of the CSV. */
  name: string
  title: string
  why: string
  /** How long it is kept; settings stand in it by their rule: "{sign_ins}." */
  kept: string
  erased: string
  /** The tables it is in. */
  tables: readonly string[]
  /** A query for all of it about one person ($1). */
  query: string
  /** One thing, not a list. */
  single?: true
}

export const of_claims: readonly DataEntry[] = [
  {
    name: 'receipts',
    title: 'Receipts, with their files',
    why: 'To show what was paid.',
    kept: '{receipts} after the plan year; a day where no claim came of it.',
    erased: 'Removed, with their files.',
    tables: ['receipts'],
    query: `select id, claim_id, file_name, media_type, size_bytes, pages, read_state,
      read_amount_cents, read_currency, read_on, read_provider, read_marks, restricted,
      blacked_times, blacked_reads, created_at
      from receipts where person_id = $1 order by created_at, id`,
  },
  {
    name: 'receipt_openings',
    title: 'Who opened your receipts',
    why: 'So that nobody looks at them unseen.',
    kept: 'As long as the receipt.',
    erased: 'Removed, with the receipts.',
    tables: ['receipt_openings'],
    query: `select o.at, o.receipt_id, o.opener_name, o.opener_role, o.what, o.purpose
      from receipt_openings o where o.person_id = $1 order by o.id`,
  },
  {
    name: 'claims',
    title: 'What you claimed',
    why: 'To decide on it and to pay it.',
    kept: 'Ten years after the plan year, as books must be.',
    erased:
      'Number, category, type, month and amounts stay without the person; provider, note, day and for whom go.',
    tables: ['claims'],
    query: `select c.id as number, c.category, c.type_name, c.for_whom, c.provider, c.service_on,
      c.plan_year, c.bill_cents, c.amount_cents, c.approved_cents, o.currency, c.note,
      to_jsonb(c.lines) as lines, c.status,
      c.stage, c.payment, c.automatic, c.submitted_at, c.reviewed_at, c.paid_on from claims c
      join companies o on o.id = c.company_id where c.person_id = $1 order by c.id`,
  },
  {
    name: 'claim_events',
    title: 'What happened to each claim, with the rules that were checked',
    why: 'So that you can see who decided what, and why.',
    kept: 'As long as the claim.',
    erased: 'That something happened, and when, stays; sentences and rules go.',
    tables: ['claim_events'],
    query: `select e.claim_id as number, e.at, e.event, e.by_role, e.reason, e.text, e.amount_cents,
      o.currency, e.trace from claim_events e
      join claims c on c.company_id = e.company_id and c.id = e.claim_id
      join companies o on o.id = e.company_id
      where c.person_id = $1 and e.undone_at is null order by e.claim_id, e.number`,
  },
  {
    name: 'bank_account',
    title: 'Where your money is paid to',
    why: 'To pay what was approved.',
    kept: 'Until you remove it.',
    erased: 'Removed.',
    tables: ['bank_accounts'],
    query: `select holder, iban, changed_at from bank_accounts where person_id = $1`,
  },
  {
    name: 'payouts',
    title: 'What was paid to you',
    why: 'To pay each claim once, and to show where the money went.',
    kept: 'Ten years after the plan year, as books must be.',
    erased: 'Amounts stay without the person; the account goes.',
    tables: ['pay_items', 'pay_claims', 'pay_withholdings'],
    query: `select r.id as run, r.pay_on, r.status, i.claims, i.claims_cents, i.withheld_cents,
      i.paid_cents, o.currency, i.holder, i.iban, i.returned_at, i.returned_because,
      array(select p.claim_id from pay_claims p where p.company_id = i.company_id
        and p.run_id = i.run_id and p.person_id = i.person_id order by 1) as claim_numbers
      from pay_items i join pay_runs r on r.company_id = i.company_id and r.id = i.run_id
      join companies o on o.id = i.company_id where i.person_id = $1 order by r.id`,
  },
  {
    name: 'settled_overpayments',
    title: 'Overpayments that your company settled by hand, and why',
    why: 'So that the books say why the company asks for the money no more.',
    kept: 'Ten years after the plan year, as books must be.',
    erased: 'Amounts stay without the person; the reason goes.',
    tables: ['settled_overpayments'],
    query: `select s.settled_at, s.how, s.cents, o.currency, s.reason from settled_overpayments s
      join companies o on o.id = s.company_id where s.person_id = $1 order by s.settled_at, s.id`,
  },
  {
    name: 'payment_blocks',
    title: 'Payments that your company kept out of payouts',
    why: 'So that nothing is paid before a doubt is settled. The reason is shown once the block is removed.',
    kept: 'Ten years after the plan year, as books must be.',
    erased: 'That there was one stays without the person; the reason goes.',
    tables: ['payment_blocks'],
    query: `select claim_id as number, placed_at, removed_at,
      case when removed_at is not null then reason end as reason
      from payment_blocks where person_id = $1 order by placed_at, id`,
  },
]
