-- Webhooks of a company: made, changed and ended by its admins; what is to be sent, read from the
-- sealed record.

create policy your_companys on webhooks for select using (
  (select actor_has('owner')) and company_id = (select actor_company()));
grant select on webhooks to healthfund_request;
create or replace trigger audit after insert or update or delete on webhooks
  for each row execute function audited('reached', 'failures', 'failing_since', 'rests_until',
    'tried_at', 'delivered_at');

create policy your_companys on webhook_secrets for select using (
  (select actor_has('owner')) and company_id = (select actor_company()));
grant select (company_id, id, webhook_id, ending, made_at, ends_at) on webhook_secrets
  to healthfund_request;
create or replace trigger audit after insert or update or delete on webhook_secrets
  for each row execute function audited('sealed');

create policy your_companys on webhook_deliveries for select using (
  (select actor_has('owner')) and company_id = (select actor_company()));
grant select on webhook_deliveries to healthfund_request;
-- Deliveries that an admin asked for are recorded; the others repeat what the record has already.
create or replace trigger audit after insert or update on webhook_deliveries
  for each row when (new.apart) execute function audited('body', 'status', 'tries', 'next_at',
    'tried_at', 'took_ms', 'code', 'fault', 'answer', 'message_id', 'number', 'apart');

-- Why an act may not be done to a webhook as it is now; null where it may.
create or replace function webhook_refusal(act text, w webhooks) returns text
language sql stable
return case
  when act = 'pause' and w.status <> 'active' then 'webhook_not_sending'
  when act = 'resume' and w.status = 'active' then 'webhook_sending'
  when act = 'test' and exists (select from webhook_deliveries d where d.company_id = w.company_id
    and d.webhook_id = w.id and d.status = 'waiting' and d.event = 'webhook.test')
    then 'test_under_way' end;

create or replace function delivery_refusal(d webhook_deliveries) returns text
language sql immutable
return case when d.status = 'waiting' then 'delivery_waiting' end;

create or replace function private.lock_webhook(act text, webhook uuid) returns webhooks
language plpgsql set search_path = public, pg_catalog, pg_temp as $$
declare w webhooks;
begin
  select * into w from webhooks x where x.company_id = actor_company() and x.id = webhook
    and x.removed_at is null and actor_has('owner') for no key update;
  if not found then perform private.refuse('not_found'); end if;
  perform private.refuse(webhook_refusal(act, w)), publish('admins:' || w.company_id);
  return w;
end $$;

-- `https://hooks.example.com/fund?key=…` → `hooks.example.com`: notices name no more of an address.
create or replace function private.host_of(url text) returns text
language sql immutable
return substring(url from '^(?:https?|sftp)://([^/?#]+)');

create or replace function private.notify_of_webhook(w webhooks, code text) returns void
language sql
begin atomic
  select notify_right_holders(w.company_id, code,
    jsonb_build_object('host', private.host_of(w.url)));
end;

-- A new webhook gets the events that are sealed from now on.
create or replace function make_webhook(url text, events text[], in_order boolean, sealed bytea,
  ending text) returns uuid
language plpgsql security definer set search_path = public, pg_catalog, pg_temp as $$
declare w webhooks;
begin
  perform private.require_right('owner'), private.lock_active_company();
  if (select count(*) >= 10 from webhooks x
      where x.company_id = actor_company() and x.removed_at is null) then
    perform private.refuse('too_many_webhooks');
  end if;
  perform private.refuse_unless_fresh();
  insert into webhooks (company_id, url, events, in_order, made_by, reached)
    values (actor_company(), make_webhook.url, make_webhook.events, make_webhook.in_order,
      actor_id(), coalesce((select h.number from audit_heads h
        where h.company_id = actor_company()), 0))
    returning * into w;
  insert into webhook_secrets (company_id, webhook_id, sealed, ending)
    values (w.company_id, w.id, make_webhook.sealed, make_webhook.ending);
  perform private.notify_of_webhook(w, 'webhook_made'), publish('admins:' || w.company_id);
  return w.id;
end $$;

-- A new address starts without the failures of the old one: waiting deliveries are tried there as
-- for the first time.
create or replace function private.forget_failures(company uuid, webhook uuid) returns void
language sql
begin atomic
  update webhooks x set failures = 0, failing_since = null, rests_until = null
    where x.company_id = company and x.id = webhook;
  update webhook_deliveries d set tries = 0, next_at = now()
    where d.company_id = company and d.webhook_id = webhook and d.status = 'waiting';
end;

create or replace function change_webhook(webhook uuid, url text, events text[], in_order boolean)
returns void
language plpgsql security definer set search_path = public, pg_catalog, pg_temp as $$
declare w webhooks := private.lock_webhook('change', webhook);
begin
  perform private.refuse_unless_fresh();
  if change_webhook.url <> w.url then perform private.forget_failures(w.company_id, w.id); end if;
  update webhooks x set url = change_webhook.url, events = change_webhook.events,
      in_order = change_webhook.in_order
    where x.company_id = w.company_id and x.id = w.id returning * into w;
  perform private.notify_of_webhook(w, 'webhook_changed');
end $$;

-- Renews the secret; the one before also signs until the overlap is over.
create or replace function rotate_webhook_secret(webhook uuid, overlap_hours integer, sealed bytea,
  ending text) returns void
language plpgsql security definer set search_path = public, pg_catalog, pg_temp as $$
declare w webhooks := private.lock_webhook('rotate', webhook);
begin
  perform private.refuse_unless_fresh();
  update webhook_secrets s
    set ends_at = private.overlap_ends_at(s.ends_at, overlap_hours)
    where s.company_id = w.company_id and s.webhook_id = w.id
      and (s.ends_at is null or s.ends_at > now());
  insert into webhook_secrets (company_id, webhook_id, sealed, ending)
    values (w.company_id, w.id, rotate_webhook_secret.sealed, rotate_webhook_secret.ending);
  perform private.notify_of_webhook(w, 'webhook_changed');
end $$;

create or replace function pause_webhook(webhook uuid) returns void
language plpgsql security definer set search_path = public, pg_catalog, pg_temp as $$
declare w webhooks := private.lock_webhook('pause', webhook);
begin
  update webhooks x set status = 'paused' where x.company_id = w.company_id and x.id = w.id;
end $$;

-- Waiting deliveries are tried at once, as for the first time; then what happened meanwhile.
create or replace function resume_webhook(webhook uuid) returns void
language plpgsql security definer set search_path = public, pg_catalog, pg_temp as $$
declare w webhooks := private.lock_webhook('resume', webhook);
begin
  update webhooks x set status = 'active', stopped_for = null
    where x.company_id = w.company_id and x.id = w.id;
  perform private.forget_failures(w.company_id, w.id);
end $$;

create or replace function remove_webhook(webhook uuid) returns void
language plpgsql security definer set search_path = public, pg_catalog, pg_temp as $$
declare w webhooks := private.lock_webhook('remove', webhook);
begin
  update webhooks x set removed_at = now() where x.company_id = w.company_id and x.id = w.id;
  delete from webhook_secrets s where s.company_id = w.company_id and s.webhook_id = w.id;
  delete from webhook_deliveries d
    where d.company_id = w.company_id and d.webhook_id = w.id and d.status = 'waiting';
end $$;

create or replace function test_webhook(webhook uuid, body text) returns void
language plpgsql security definer set search_path = public, pg_catalog, pg_temp as $$
declare w webhooks := private.lock_webhook('test', webhook);
begin
  insert into webhook_deliveries (company_id, webhook_id, event, apart, body)
    values (w.company_id, w.id, 'webhook.test', true, test_webhook.body);
end $$;

-- Sends a message again under the same id; deliveries in order do not wait for it.
create or replace function replay_delivery(delivery bigint) returns void
language plpgsql security definer set search_path = public, pg_catalog, pg_temp as $$
declare d webhook_deliveries;
begin
  select x.* into d from webhook_deliveries x
    join webhooks w on w.company_id = x.company_id and w.id = x.webhook_id
    where x.company_id = actor_company() and x.id = delivery and w.removed_at is null
      and actor_has('owner') for no key update of x;
  if not found then perform private.refuse('not_found'); end if;
  perform private.refuse(delivery_refusal(d)), publish('admins:' || d.company_id);
  update webhook_deliveries x set status = 'waiting', apart = true, tries = 0, next_at = now(),
      replayed = least(x.replayed + 1, 1000)
    where x.company_id = d.company_id and x.id = d.id;
end $$;

grant execute on function webhook_refusal, delivery_refusal, make_webhook, change_webhook,
  rotate_webhook_secret, pause_webhook, resume_webhook, remove_webhook, test_webhook,
  replay_delivery to healthfund_request;
