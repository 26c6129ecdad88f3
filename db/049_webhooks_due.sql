-- What is next for a webhook is found by its key, however much waits behind it.
create index deliveries_due on webhook_deliveries (company_id, webhook_id, next_at, id)
  where status = 'waiting' and not apart;
create index deliveries_apart on webhook_deliveries (company_id, webhook_id, next_at, id)
  where status = 'waiting' and apart;
