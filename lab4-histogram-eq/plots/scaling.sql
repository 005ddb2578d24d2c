-- Figures and table of shared/scaling.sql.
create view scaled as select *, 'gray' as work from measured;
