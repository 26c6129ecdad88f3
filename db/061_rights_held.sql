-- One of the company's people may have rights beside that: whoever asks is looked up in company_rights only where there are any.
alter table profiles add column has_rights boolean not null default false;
comment on column profiles.has_rights is 'Has been given a right for the company that has not been ended: kept by company_rights. Such a person is one of its employees or, by their role, none.';
update profiles p set has_rights = true where exists (select from company_rights r
  where r.person_id = p.id and r.ended_at is null);
create index people_with_rights on profiles (company_id) where has_rights;
