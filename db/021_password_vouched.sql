-- A password that an administrator of the auth service gave; any other is only as good as who typed it before
-- the address was proven.
alter table auth.users add column password_vouched boolean not null default false;
