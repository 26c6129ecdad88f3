-- Inquiries that visitors write to the provider.

create policy the_providers on inquiries for select using ((select actor_role()) = 'super_admin');
create policy the_provider_answers on inquiries for update using ((select actor_role())
  = 'super_admin') with check (answered_by is not distinct from
    case when answered_at is not null then (select actor_id()) end);
create policy the_provider_removes on inquiries for delete using ((select actor_role())
  = 'super_admin');
grant select, update (answered_at, answered_by), delete on inquiries to healthfund_request;
create or replace trigger audit after insert or update or delete on inquiries
  for each row execute function audited('full_name', 'email', 'company', 'people', 'message');
create or replace trigger as_name_line before insert or update of full_name, company on inquiries
  for each row execute function private.keep_as_line('full_name', 'company');

-- Anybody may write: three messages of one address in a day, and the same one only once. The
-- provider is told of the first twenty in an hour; more than that is a flood, which the page shows,
-- but no bell rings.
create or replace function submit_inquiry(inquiry jsonb, suspect boolean) returns void
language plpgsql security definer set search_path = public, pg_catalog, pg_temp as $$
declare
  n inquiries := jsonb_populate_record(null::inquiries, inquiry);
  sender text := lower(n.email);
  sent integer;
  lately integer;
  made uuid;
begin
  perform pg_advisory_xact_lock(hashtextextended('inquiry ' || sender, 0));
  if exists (select from inquiries l where lower(l.email) = sender
      and l.received_at > now() - interval '1 day' and l.message = n.message) then
    return;
  end if;
  select count(*) into sent from inquiries l
    where lower(l.email) = sender and l.received_at > now() - interval '1 day';
  if sent >= 3 then perform private.refuse('too_many_messages'); end if;
  insert into inquiries (full_name, email, company, people, message, suspect)
    values (n.full_name, n.email, n.company, n.people, n.message, submit_inquiry.suspect)
    returning id into made;
  perform publish('supers');
  if suspect then return; end if;
  select count(*) into lately from inquiries l
    where l.received_at > now() - interval '1 hour' and not l.suspect;
  if lately > 20 then return; end if;
  perform private.notify_about(p.id, made, 'inquiry',
    jsonb_build_object('company', n.company, 'people', n.people))
    from profiles p where p.role = 'super_admin' and p.status = 'active';
end $$;

grant execute on function submit_inquiry to healthfund_request;
