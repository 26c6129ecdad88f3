-- A personnel number as the identity provider sent it: what it said it can take back.
alter table scim_people
  add column personnel_number text check (length(personnel_number) between 1 and 40);
