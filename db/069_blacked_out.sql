-- The person whose receipt it is may black out parts of it before it is part of a claim.
alter table receipts add column blacked_times integer not null default 0 check (blacked_times >= 0);
comment on column receipts.blacked_times is 'How often its person blacked out parts of it: each time its file was made anew, and the one before removed.';
alter table receipts add column blacked_reads text[] not null default '{}'
  check (blacked_reads <@ array['amount', 'on', 'provider']);
comment on column receipts.blacked_reads is 'Which of what was read stood where it is black now.';
alter table receipts add column unseen jsonb not null default '{}';
comment on column receipts.unseen is 'What was read where it is black now, for the checks alone: amount, currency and day, and of the provider''s name marks to compare with. No login reads it.';
