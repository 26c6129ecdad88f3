-- A text as it is looked for: small letters without accents. The columns and indexes of db/004 and
-- db/013 have the same words in place, and what goes by an index repeats them.
create or replace function without_accents(words text) returns text
language sql immutable -- without settings of its own, so that it becomes part of what asks it
return replace(translate(lower(regexp_replace(normalize(words, NFD), '[\u0300-\u036f]', '', 'g')
  collate "und-x-icu"), 'øłđı', 'oldi'), 'ß', 'ss');

grant execute on function without_accents to healthfund_request;
