-- Who fell ill can't enter it: another admin of their company does.
alter table absences add column by_id uuid;
comment on column absences.by_id is 'The other admin who entered it; null where whoever is away did.';
