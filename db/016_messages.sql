-- Notifications (a line under the bell, and mails), and inquiries that visitors write to the
-- provider.

create table notifications (
  person_id uuid not null references profiles on delete cascade,
  id        bigint generated always as identity,
  about_id  uuid,
  kind      text not null check (kind in ('claims', 'funds', 'health', 'account')),
  code      text not null constraint code_is_a_word check (code ~ '^[a-z][a-z_]{2,40}$'),
  facts     jsonb not null default '{}',
  path      text not null check (path ~ '^/' and length(path) <= 300),
  at        timestamptz not null default now(),
  read_at   timestamptz,
  mail_at   timestamptz,
  -- When it was mailed, or decided that it is not.
  mailed_at timestamptz,
  primary key (person_id, id)
);
comment on table notifications is 'A person''s notifications, newest last: a code of src/notifications/words.contract.ts with its facts. Never health content: the words go into mails.';
comment on column notifications.about_id is 'The person, or the message of the contact page, whom it is about. Their name is looked up, never kept.';
comment on column notifications.mail_at is 'From when on it may be mailed, as src/notifications/work.sql says; null where no mail is made of it.';
create index notifications_unread on notifications (person_id) where read_at is null;
create index notifications_unmailed on notifications (person_id, id) where mailed_at is null;
create index notifications_due on notifications (mail_at) where mailed_at is null;
create index notifications_by_age on notifications (at);
alter table notifications enable row level security;

create table mail_paces (
  person_id uuid primary key references profiles on delete cascade,
  last_at   timestamptz not null
);
comment on table mail_paces is 'When a person was last mailed their notifications: for half an hour after that, further ones are gathered.';
alter table mail_paces enable row level security;

-- Every mail is a row of the act that caused it. With a mail server set a job sends it and forgets
-- it; without one the rows are the installation's own mailbox.
create table mails (
  id         bigint generated always as identity primary key,
  at         timestamptz not null default now(),
  recipient  text not null,
  -- The account's owner, where the address is an account's.
  person_id  uuid,
  subject    text not null,
  text       text not null,
  html       text not null,
  headers    jsonb not null default '{}'
);
comment on table mails is 'Mails on their way: sent and forgotten by a job, or readable at /dev/mailbox.';
comment on column mails.headers is 'Further lines of the mail''s head, such as how to unsubscribe with one press.';
create index mails_of_person on mails (person_id);
create index mails_by_age on mails (at);
alter table mails enable row level security;

-- A person's need: read from the facts, oldest first, and never by reading all there is.
create type private.need as (kind text, items integer, number bigint, about_id uuid,
  subject_id uuid, version integer, cents bigint, since timestamptz, due_at timestamptz, path text);

create table inquiries (
  id          uuid primary key default gen_random_uuid(),
  full_name   text not null check (length(full_name) between 2 and 100),
  email       text not null check (length(email) between 3 and 255),
  company     text not null check (length(company) between 2 and 100),
  people      integer not null check (people between 1 and 10000000),
  message     text not null check (length(message) between 10 and 4000),
  suspect     boolean not null default false,
  received_at timestamptz not null default now(),
  answered_at timestamptz,
  answered_by uuid references profiles on delete set null
);
comment on table inquiries is 'Messages of the contact page. Read by the provider alone, gone after a year; what a machine seems to have sent after a month.';
create index inquiries_by_age on inquiries (received_at, id);
create index inquiries_by_sender on inquiries (lower(email), received_at);
create index inquiries_open on inquiries (received_at) where answered_at is null and not suspect;
alter table inquiries enable row level security;
