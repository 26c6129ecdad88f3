-- What is looked for is written without accents, as people type it: name, e-mail, phone (also without its spaces) and
-- department of people, and the provider of a claim.
alter table profiles drop column sought;
alter table profiles add column sought text collate "C" generated always as (
  replace(translate(lower(regexp_replace(normalize(
    full_name || ' ' || email || ' ' || coalesce(phone || ' ' || regexp_replace(phone, '[^0-9+]', '', 'g'), '')
      || ' ' || coalesce(department, ''), NFD), '[\u0300-\u036f]', '', 'g') collate "und-x-icu"),
    'øłđı', 'oldi'), 'ß', 'ss')) stored;
create index people_by_sought on profiles using gin (company_id, sought gin_trgm_ops);
create index people_in_order on profiles (company_id, sort_name, id)
  include (sought, role, standing, department);
create index people_sought on profiles (company_id, id) include (sought);

create index claims_by_provider on claims using gin (company_id, (
  replace(translate(lower(regexp_replace(normalize(provider::text, NFD), '[\u0300-\u036f]', '', 'g')
    collate "und-x-icu"), 'øłđı', 'oldi'), 'ß', 'ss')) gin_trgm_ops);
