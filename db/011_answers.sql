-- A repeated request finds the answer of the first.

-- Twins of one request come one after the other: the second waits here, then finds what the first was answered.
create function answer_before(request_key text) returns table (question bytea, answer jsonb)
language plpgsql security definer set search_path = public, pg_catalog as $$
declare who text := split_part(actor(), ' ', 2);
begin
  perform pg_advisory_xact_lock(hashtextextended(who || ' ' || request_key, 0));
  return query select a.question, a.answer from answered_requests a
    where a.person_id = who::uuid and a.key = request_key;
end $$;
revoke execute on function answer_before(text) from public;
grant execute on function answer_before(text) to healthfund_request;

-- The wall stands where rows are written, once for a statement.
drop policy your_own on answered_requests;
create policy your_own on answered_requests using (person_id = (select actor_id()));
