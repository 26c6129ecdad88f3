-- Where on the receipt it was read: shares of the page, as {amount, on, provider}.
alter table receipts add read_marks jsonb not null default '{}';
