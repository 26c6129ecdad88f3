-- Names and addresses as the identity provider sent them, so that it reads again what it wrote.
alter table scim_people
  -- The person's name then: as long as it is theirs, its parts are shown as they were sent.
  add column full_name text check (length(full_name) <= 100),
  add column formatted text check (length(formatted) <= 100),
  -- `work`, `mobile`, …, and whether it is their first one.
  add column email_type text check (length(email_type) <= 50),
  add column email_first boolean,
  add column phone_type text check (length(phone_type) <= 50),
  add column phone_first boolean;
