-- Notes about a person: by the admins of their company, for each other; never of oneself.

create policy of_your_people on person_notes for select using (
  company_id = (select actor_company()) and (select actor_has('people'))
    and person_id <> (select actor_id()));
create policy yours_to_write on person_notes for insert with check (
  company_id = (select actor_company()) and (select actor_has('people'))
    and person_id <> (select actor_id()) and written_by = (select actor_id()));
create policy yours_to_remove on person_notes for delete using (
  company_id = (select actor_company()) and (select actor_has('people'))
    and person_id <> (select actor_id()));
grant select, insert (company_id, person_id, text, written_by), delete on person_notes
  to healthfund_request;
-- The text is in the notes alone, so that it is gone when they are.
create or replace trigger audit after insert or update or delete on person_notes
  for each row execute function audited('text');
