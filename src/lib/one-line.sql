-- A name as it is kept, the same as `oneLine` of one-line.ts: what turns the reading direction
-- around, what nobody sees and control characters go; line breaks and other white space become one
-- space each. Where nobody would see anything, nothing is left.
create or replace function one_line(words text) returns text
language sql immutable strict
return (select case when line ~ '[^ \u061c\u180b-\u180d\u180f\u200c-\u200f\ufe00-\ufe0f'
    '\U000e0100-\U000e01ef]' then line else '' end
  from (select btrim(regexp_replace(regexp_replace(words,
    '[\u0001-\u0008\u000e-\u001f\u007f-\u0084\u0086-\u009f\u00ad\u034f\u115f\u1160\u17b4\u17b5'
    '\u180e\u200b\u202a-\u202e\u2060-\u206f\u2800\u3164\ufeff\uffa0\ufff9-\ufffb'
    '\U000e0000-\U000e007f]', '', 'g'),
    '[\u0009-\u000d\u0020\u0085\u00a0\u1680\u2000-\u200a\u2028\u2029\u202f\u205f\u3000]+',
    ' ', 'g')) as line) l);

-- The name of a person or a company needs a letter or a digit.
create or replace function name_line(words text) returns text
language sql immutable strict
return (select case when line ~ '[[:alnum:]]' collate "und-x-icu" then line else '' end
  from one_line(words) line);

-- Keeps the named columns as one line, whichever way a row comes in; with a trigger named
-- `as_name_line`, as names of people and companies.
create or replace function private.keep_as_line() returns trigger
language plpgsql security definer set search_path = public, pg_catalog, pg_temp as $$
begin
  return jsonb_populate_record(new, (select jsonb_object_agg(name, case tg_name
    when 'as_name_line' then name_line(to_jsonb(new) ->> name)
    else one_line(to_jsonb(new) ->> name) end) from unnest(tg_argv) name));
end $$;
