-- Many people are changed as by a file of them: compared first, applied by a job, and taken back.
alter table imports add column chosen boolean not null default false;
comment on column imports.chosen is 'No file: people who were chosen in the list, of whom one thing changes. Who was not chosen is not missing.';
