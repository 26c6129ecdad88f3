create table people_added (
  company_id uuid not null references companies on delete cascade,
  day        date not null,
  people     integer not null,
  primary key (company_id, day)
);
comment on table people_added is 'How many people a company''s admins added or wrote to on a day: what bounds its mails.';
alter table people_added enable row level security;
