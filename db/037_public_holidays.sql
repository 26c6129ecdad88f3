-- Days on which nobody works: by country and region, as a kept list of the world's holidays has them.

create table holiday_places (
  country      text not null check (country ~ '^[A-Z]{2}$'),
  region       text not null default '' check (length(region) <= 10),
  name         text not null check (length(name) between 1 and 100),
  list         text not null,
  kept_list    text,
  kept_until   date,
  primary key (country, region)
);
comment on table holiday_places is 'Countries (region '''') and their regions, filled at each start from the list that is installed (`list`: its name and version). `kept_list`, `kept_until`: from which list its days were read, and until when.';
alter table holiday_places enable row level security;

create table public_holidays (
  country text not null,
  region  text not null,
  on_day  date not null,
  name    text not null check (length(name) between 1 and 200),
  primary key (country, region, on_day),
  foreign key (country, region) references holiday_places on delete cascade
);
comment on table public_holidays is 'Public holidays of the places where companies are, a few years around today, kept by a job. Past ones stay: ages of past claims are counted with them.';
alter table public_holidays enable row level security;

alter table companies
  add column country text,
  add column region text not null default '',
  add constraint a_region_has_a_country check (country is not null or region = ''),
  add constraint unknown_place foreign key (country, region) references holiday_places;
comment on column companies.country is 'Whose public holidays stop the clock of its reviews; none: only weekends do.';

alter table claims add column reminded smallint not null default 0;
comment on column claims.reminded is 'What its deciders were told by the clock, once each: 1 at half of its time, 2 at twice its time (the owner).';
