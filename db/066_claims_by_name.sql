-- What waits for somebody by name is found behind however much waits for all.
create index claims_by_name on claims (company_id, id) where by_name and status = 'pending';
