-- A decision can be undone by whoever made it for some seconds, in which nobody is told of it.

create table private.decisions (
  company_id uuid not null,
  thing      text not null,
  version    integer not null,
  by_id      uuid not null,
  before     jsonb not null,
  notice     text not null,
  until      timestamptz not null,
  primary key (company_id, thing)
);
comment on table private.decisions is 'Decisions that can still be undone: of what (''claim 7''), its version after it, what it was before it, and the event that is told once the time is over. Whoever deletes the row has ended it: the undo, the job that tells, or another act.';
create index decisions_until on private.decisions (until);
alter table private.decisions enable row level security;

alter table claims add column undone smallint not null default 0;
comment on column claims.undone is 'How many decisions on it were undone: money moves once for its cause, and the same decision may come again.';
alter table claim_events add column undone_at timestamptz;
comment on column claim_events.undone_at is 'When whoever decided undid it. Its employee was never told, and does not see it.';
alter table dependent_events add column undone_at timestamptz;
comment on column dependent_events.undone_at is 'When whoever decided undid it. The person was never told, and does not see it.';
