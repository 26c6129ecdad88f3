-- What a person is told is a code with its facts, put into words where it is shown.
alter table notifications add column code text, add column facts jsonb not null default '{}';
update notifications set code = 'earlier', facts = jsonb_build_object('title', title, 'sentence', sentence);
alter table notifications alter column code set not null,
  add constraint code_is_a_word check (code ~ '^[a-z][a-z_]{2,40}$'),
  drop column title, drop column sentence;
comment on table notifications is 'What a person is told, newest last: a code of src/notifications/words.contract.ts with its facts. Never health content: the words go into mails.';
comment on column notifications.about_id is 'The person, or the message of the contact page, whom it is about. Their name is looked up, never kept.';
