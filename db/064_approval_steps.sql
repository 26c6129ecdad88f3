-- Approval goes in steps: a policy is a table of them, and each claim keeps those that apply to it.
create type approval_step as (
  above_cents bigint, categories text[], type_ids uuid[], departments text[], group_ids uuid[], new_provider boolean,
  who text, person_ids uuid[], together boolean, deputy_id uuid, most_cents bigint, days smallint);
comment on type approval_step is 'A step as the company writes it: when it applies (each condition that is set), who approves (reviewers: any; people: these; manager: the claimant''s), and within which limits.';

create type claim_step as (
  number smallint, who text, person_ids uuid[], deputy_id uuid, most_cents bigint, days smallint);
comment on type claim_step is 'One approval that a claim needs: of which step of its policy, and by whom. A step in which several approve together is as many of these.';

alter table claim_policies add column steps approval_step[] not null default array[
  row(null, '{}', '{}', '{}', '{}', false, 'reviewers', '{}', false, null, null, null),
  row(30000, '{}', '{}', '{}', '{}', false, 'reviewers', '{}', false, null, null, null)]::approval_step[];
update claim_policies set steps = case when one_approver_cents >= 1e12 then steps[1:1] else steps[1:1] || array[
  row(one_approver_cents, '{}', '{}', '{}', '{}', false, 'reviewers', '{}', false, null, null, null)::approval_step] end;
alter table claim_policies drop column one_approver_cents,
  add check (cardinality(steps) <= 10);

alter table profiles add column manager_id uuid references profiles on delete set null;
comment on column profiles.manager_id is 'Who approves first for this person where a step of the policy asks for the manager. Nobody decides on a claim of their own manager.';
create index people_of_manager on profiles (manager_id) where manager_id is not null;

alter table claims add column steps claim_step[] not null default '{}',
  add column passed_by uuid[] not null default '{}',
  add column by_name boolean not null default false,
  add column of_manager boolean not null default false;
alter table claims rename column first_cents to passed_cents;
comment on column claims.steps is 'The approvals it needs, in order, as its policy''s table said when it was submitted; empty: one, by any reviewer.';
comment on column claims.by_name is 'One of its steps asks named people or the manager, so who may decide is more than a right.';
comment on column claims.passed_by is 'Who has approved so far, in order: the next of `steps` is one more than these.';
comment on column claims.passed_cents is 'What the last of them approved: no more can be approved after it.';
comment on column claims.of_manager is 'Was somebody''s manager when it was submitted: those who report to them do not decide on it.';
update claims c set steps = array[row(1, 'reviewers', '{}', null, null, null), row(2, 'reviewers', '{}', null, null, null)]::claim_step[],
    passed_by = array_remove(array[c.first_by], null)
  from claim_policies p
  where p.company_id = c.company_id and p.version = c.policy_version
    and cardinality(p.steps) = 2 and c.amount_cents > (p.steps[2]).above_cents;
alter table claims drop column first_by;

-- The second of two approvals is one of several.
drop index claims_second_review;
alter domain claim_stage drop constraint claim_stage_check;
update claims set stage = 'further_review' where stage = 'second_review';
alter domain claim_stage add constraint claim_stage_check
  check (value in ('first_review', 'further_review', 'information_asked'));
create index claims_further_review on claims (company_id, id) where stage = 'further_review';

alter domain claim_happening drop constraint claim_happening_check;
update claim_events set event = 'approved_step' where event = 'approved_first';
alter domain claim_happening add constraint claim_happening_check check (value in ('submitted',
  'approved_by_policy', 'approved_step', 'approved', 'rejected', 'asked', 'answered',
  'question_taken_back', 'withdrawn', 'expired', 'appealed', 'rest_appealed', 'put_in_run',
  'taken_from_run', 'paid', 'payment_returned', 'reversed', 'weighed_again'));
update notifications set code = 'claim_approved_step' where code = 'claim_approved_first';
update private.decisions set notice = 'claim_approved_step' where notice = 'claim_approved_first';
update webhooks set events = array_replace(events, 'claim.approved_first', 'claim.approved_step')
  where 'claim.approved_first' = any (events);
