-- A report that was read from a standby knows as of when.
alter table reports add as_of timestamptz;
comment on column reports.as_of is 'Where it was read from a standby: everything committed until then is in it.';
