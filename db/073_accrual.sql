-- Whether a plan's amounts come by month, a twelfth at the beginning of each month of the year, or all at once.
alter table plan_years add column by_month boolean not null default false;
alter table group_plans add column by_month boolean not null default false;
