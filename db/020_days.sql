-- A person joins on a day of their company's calendar, not of the database's: the trigger day_of_joining writes it.

alter table profiles alter joined_on drop default;
