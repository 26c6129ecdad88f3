-- Of a claim approved in part the rest is appealed as a claim of its own; a question is taken back.
alter domain claim_happening drop constraint claim_happening_check;
alter domain claim_happening add constraint claim_happening_check check (value in ('submitted',
  'approved_by_policy', 'approved_first', 'approved', 'rejected', 'asked', 'answered',
  'question_taken_back', 'withdrawn', 'expired', 'appealed', 'rest_appealed', 'put_in_run',
  'taken_from_run', 'paid', 'payment_returned', 'reversed', 'weighed_again'));
alter table claims add column appeal_of bigint;
create unique index claims_appealed_in_part on claims (company_id, appeal_of) where appeal_of is not null;
comment on column claims.appeal_of is 'The claim that was approved in part, whose rest this one claims.';
