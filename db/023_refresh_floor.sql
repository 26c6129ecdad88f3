-- Tokens from before the second step must not come to it by racing with those after it.
alter table auth.sessions add column refresh_floor integer not null default 0;
