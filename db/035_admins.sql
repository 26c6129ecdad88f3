-- Who decides for a company is told of each thing that comes to wait: found without reading its people.
create index admins_of_company on profiles (company_id) where role = 'company_admin';

-- An admin who was an employee keeps their fund, claims and family in reach.
alter table profiles add column has_own boolean not null default false;
comment on column profiles.has_own is 'An admin with a fund, claims or family from their time as an employee: what is their own they do as an employee.';
update profiles p set has_own = true where p.role = 'company_admin'
  and (exists (select from accounts a where a.company_id = p.company_id and a.person_id = p.id)
    or exists (select from dependents d where d.company_id = p.company_id and d.person_id = p.id));
