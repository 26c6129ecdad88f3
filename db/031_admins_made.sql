-- Who made somebody an admin: for a day the two count as one pair of eyes.
alter table profiles add column made_admin_by uuid, add column made_admin_at timestamptz;
comment on column profiles.made_admin_by is 'The admin of their company who made them one; nobody where they founded it or the provider did.';
