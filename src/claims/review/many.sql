-- Decides on many claims, each separately: a refusal of one stops no other. They are locked in the
-- order of people, as all acts on several people's money do.

-- `act` is approve_many (those that one approval decides), reject, ask or undo; `details` has the
-- reason and the text. `expected_versions` are those that were read; an undo needs none.
create or replace function decide_claims(act text, ids bigint[], expected_versions integer[],
  details jsonb)
  returns json
language plpgsql security definer set search_path = public, pg_catalog, pg_temp as $$
declare
  me uuid := actor_id();
  claim record;
  done jsonb := '[]';
begin
  perform private.require_right('reviewer');
  for claim in select w.id, min(w.version) as version,
        min(claim_refusal(act, c, me)) as refusal
      from unnest(ids, expected_versions) w (id, version)
      left join claims c on c.company_id = actor_company() and c.id = w.id
      group by w.id, c.person_id, c.plan_year, c.category
      order by c.person_id, c.plan_year, c.category, w.id
  loop
    begin
      perform private.refuse(claim.refusal);
      if act = 'approve_many' then
        perform from approve_claim(claim.id, claim.version, null, null, null);
      elsif act = 'reject' then
        perform from reject_claim(claim.id, claim.version, details ->> 'reason',
          details ->> 'text');
      elsif act = 'ask' then
        perform from ask_about_claim(claim.id, claim.version, details ->> 'text');
      elsif act = 'undo' then
        perform from undo_claim(claim.id);
      else
        perform private.refuse('not_found');
      end if;
      done := done || jsonb_build_object('id', claim.id, 'code', null);
    exception when sqlstate 'HF422' then
      done := done || jsonb_build_object('id', claim.id, 'code', sqlerrm);
    end;
  end loop;
  return done;
end $$;

grant execute on function decide_claims to healthfund_request;
