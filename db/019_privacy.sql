-- A person's own data: given to them as a file; and erased where they ask for it and both sides
-- agree.

create table data_exports (
  person_id     uuid not null references profiles on delete cascade,
  id            uuid not null default gen_random_uuid(),
  status        text not null default 'waiting'
                  check (status in ('waiting', 'making', 'ready', 'failed')),
  percent       smallint not null default 0 check (percent between 0 and 100),
  tries         smallint not null default 0,
  run           uuid,
  fault         text check (length(fault) <= 300),
  size_bytes    bigint,
  requested_at  timestamptz not null default now(),
  touched_at    timestamptz not null default now(),
  made_at       timestamptz,
  expires_at    timestamptz,
  downloads     integer not null default 0,
  downloaded_at timestamptz,
  primary key (person_id, id)
);
comment on table data_exports is 'All there is about a person as one ZIP: asked for by them, being made, ready for some days, or failed. `downloads` says how often it was fetched.';
create unique index export_under_way on data_exports (person_id)
  where status in ('waiting', 'making');
create index data_exports_stuck on data_exports (touched_at) where status in ('waiting', 'making');
create index data_exports_by_age on data_exports (requested_at);
alter table data_exports enable row level security;

create table data_export_parts (
  person_id   uuid not null,
  export_id   uuid not null,
  number      integer not null,
  size_bytes  integer not null,
  storage_key text not null,
  file_key    integer not null references private.file_keys on delete restrict,
  wrapped_key bytea not null,
  parts       jsonb not null,
  primary key (person_id, export_id, number),
  foreign key (person_id, export_id) references data_exports on delete cascade
);
comment on table data_export_parts is 'The ZIP of an export in pieces, each a sealed file: where it is and what opens it. Told by `open_export` alone, which counts the download.';
create index data_export_parts_by_file_key on data_export_parts (file_key);
alter table data_export_parts enable row level security;

create table erasures (
  id          uuid primary key default gen_random_uuid(),
  person_id   uuid not null references profiles on delete cascade,
  -- Not `company_id`: the provider's own staff have none, and both sides decide.
  of_company  uuid references companies on delete cascade,
  status      text not null check (status in
                ('requested', 'with_provider', 'refused', 'withdrawn', 'under_way', 'done')),
  reason      text check (length(reason) between 1 and 500),
  requested_at timestamptz not null default now(),
  hr_id       uuid,
  hr_at       timestamptz,
  provider_id uuid,
  provider_at timestamptz,
  gone        jsonb,
  refusal     text check (length(refusal) between 1 and 500),
  refused_side  text check (refused_side in ('hr', 'provider')),
  ended_at    timestamptz,
  constraint a_refusal_says_why check ((status = 'refused') = (refused_side is not null)
    and (status <> 'refused' or refusal is not null))
);
comment on table erasures is 'A request to be erased, what HR and the provider decided, and when it was done. Requested waits for HR, with_provider for the provider; done leaves neither name nor reason.';
comment on column erasures.gone is 'How much of each kind went, as the provider saw it when it was granted.';
create unique index erasure_already_requested on erasures (person_id)
  where status in ('requested', 'with_provider', 'under_way');
create index erasures_of_person on erasures (person_id, requested_at desc);
create index erasures_of_company on erasures (of_company, status, requested_at desc, id);
create index erasures_by_age on erasures (status, requested_at desc, id);
alter table erasures enable row level security;

create table private.forgetting (
  person_id  uuid primary key references profiles on delete cascade,
  company_id uuid,
  email      text not null,
  addresses  text[] not null,
  since      timestamptz not null default now()
);
comment on table private.forgetting is 'People being erased, with the addresses they had. Each row lasts until the job behind it is done.';
alter table private.forgetting enable row level security;
