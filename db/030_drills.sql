-- What the last backup was, and whether the last restore for trial went well.

alter table private.last_backup
  add version          text,
  add bytes            bigint,
  add late_after_hours integer not null default 26 check (late_after_hours > 0);

create table private.last_drill (
  one      boolean primary key default true check (one),
  at       timestamptz,
  good     boolean,
  sentence text
);
comment on table private.last_drill is 'When a backup was last restored for trial, and what came of it. One row.';
alter table private.last_drill enable row level security;
insert into private.last_drill default values;
