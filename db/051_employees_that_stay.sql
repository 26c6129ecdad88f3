-- The counts of a day are of those who work there: those who had left by then are taken out.
update headcount_days d set employees = d.employees - l.people
  from (select x.company_id, x.day, count(*)::integer as people
    from headcount_days x join profiles p on p.company_id = x.company_id
      and p.role = 'employee' and p.has_left and p.left_on < x.day
    group by x.company_id, x.day) l
  where l.company_id = d.company_id and l.day = d.day;
comment on table headcount_days is 'How many employees a company had at the end of each day on which that changed, without those who had left. Kept by a trigger on headcounts.';
