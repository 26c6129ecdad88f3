-- What the operator demands of the provider's staff; beside the secret, for `become` reads that row anyway.
alter table private.secret add column supers_need_two_step boolean not null default false;
