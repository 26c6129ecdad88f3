-- Jobs, mails and live screens: what an act leaves behind for others to do, in its own transaction.

-- Changes of a request are published to open screens by its own server, once it has committed.
-- Sign-ups and jobs have no such server behind them: for those the database publishes, at commit.
create or replace function publish(topic text) returns void
language plpgsql security definer set search_path = public, pg_catalog, pg_temp as $$
declare
  published text := coalesce(current_setting('app.published', true), '');
  done text;
begin
  if not private.is_request() then
    perform private.publish_now(topic);
  elsif position(topic in published) = 0 then
    done := set_config('app.published', concat_ws(' ', nullif(published, ''), topic), true);
  end if;
end $$;

-- A job commits with the act that asked for it, or not at all. `key`: at most one waits under it.
create or replace function add_job(task text, input json default '{}', key text default null,
  run_at timestamptz default null, queue text default null) returns void
language sql security definer set search_path = pg_catalog, pg_temp
begin atomic
  select graphile_worker.add_job(task, input, queue_name => queue, run_at => run_at,
    job_key => key);
end;

-- Publishes at once, for jobs: no server commits after them and publishes.
create or replace function private.publish_now(topic text) returns void language sql
begin atomic
  select pg_notify('healthfund_published', 'a-job ' || topic);
end;

-- Posts a mail of an act, to be sent or kept in the built-in mailbox. Answers its number.
create or replace function post_mail(recipient text, subject text, text text, html text,
  by_server boolean) returns bigint
language plpgsql security definer set search_path = public, pg_catalog, pg_temp as $$
declare made bigint;
begin
  insert into mails (recipient, subject, text, html, person_id)
    values (recipient, subject, text, html, (select u.id from auth.users u
      where u.email = post_mail.recipient and u.aud = 'authenticated'))
    returning id into made;
  if by_server then perform add_job('mail:send', json_build_object('id', made)); end if;
  return made;
end $$;

grant execute on function publish to healthfund_request;
grant execute on function post_mail to healthfund_auth;
