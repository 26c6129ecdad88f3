-- When the last backup was made, for whoever watches.

create table private.last_backup (
  one boolean primary key default true check (one),
  at  timestamptz
);
comment on table private.last_backup is 'When the last backup was made, by a worker or by a command. One row.';
alter table private.last_backup enable row level security;
insert into private.last_backup default values;
