-- What a person is told: a line under the bell, and mails.

create table notifications (
  person_id  uuid not null references profiles on delete cascade,
  id         bigint generated always as identity,
  about_id   uuid,
  kind       text not null check (kind in ('claims', 'funds', 'health', 'account')),
  title      text not null check (length(title) between 1 and 120),
  sentence   text not null check (length(sentence) <= 500),
  path       text not null check (path ~ '^/' and length(path) <= 300),
  at         timestamptz not null default now(),
  read_at    timestamptz,
  -- When it was mailed, or decided that it is not.
  mailed_at  timestamptz,
  primary key (person_id, id)
);
comment on table notifications is 'What a person is told, newest last. Never health content: the sentence goes into mails.';
comment on column notifications.about_id is 'The person, or the message of the contact page, that {person} in the sentence stands for.';
create index notifications_unread on notifications (person_id) where read_at is null;
create index notifications_unmailed on notifications (person_id, id) where mailed_at is null;
alter table notifications enable row level security;

create table mail_paces (
  person_id uuid primary key references profiles on delete cascade,
  last_at   timestamptz not null
);
comment on table mail_paces is 'When a person was last mailed their notifications: for half an hour after that, further ones are gathered.';
alter table mail_paces enable row level security;

-- Every mail is a row of the act that caused it. With a mail server set a job sends it and forgets it;
-- without one the rows are the installation's own mailbox.
create table mails (
  id         bigint generated always as identity primary key,
  at         timestamptz not null default now(),
  recipient  text not null,
  -- Whose it is, where the address is an account's.
  person_id  uuid,
  subject    text not null,
  text       text not null,
  html       text not null,
  headers    jsonb not null default '{}'
);
comment on table mails is 'Mails on their way: sent and forgotten by a job, or readable at /dev/mailbox.';
comment on column mails.headers is 'Further lines of the mail''s head, such as how to unsubscribe with one press.';
create index mails_of_person on mails (person_id);
alter table mails enable row level security;
