-- Whom another admin removed: for a day they count as a pair of eyes, so that nobody is alone by it.
alter table profiles add column was_admin_until timestamptz;
comment on column profiles.was_admin_until is 'When another admin of their company removed them as one.';
create index admins_removed on profiles (company_id) where was_admin_until is not null;
