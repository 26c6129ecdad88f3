-- Whoever moved money, and what they said of it: on which day, if not today, and in which words.
create type private.author as (actor_id uuid, occurred_on date, note text);
