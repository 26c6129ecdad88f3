-- Which key this database belongs to: a start with another one is refused before anything is served.

create table private.installation (
  one             boolean primary key default true check (one),
  key_fingerprint text check (key_fingerprint ~ '^[0-9a-f]{16}$')
);
comment on table private.installation is 'The fingerprint of the installation''s key, told by the first start. One row.';
alter table private.installation enable row level security;
insert into private.installation default values;
