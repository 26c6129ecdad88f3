-- A claim may say what it consists of, and is then decided on line by line.
create type claim_line as (what text, amount_cents bigint, approved_cents bigint, reason text);
comment on type claim_line is 'One line of a claim: what it is for, what is asked for it, what the last decision approved of it (null: all of it), and why less.';

alter table claims add column lines claim_line[] not null default '{}';
comment on column claims.lines is 'What it consists of, if its person said so: together they are its amount. Each is decided on by itself.';
