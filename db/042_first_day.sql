-- An admin may close what the dashboard says is missing until people can claim.

alter table companies add column first_day_closed_at timestamptz;
