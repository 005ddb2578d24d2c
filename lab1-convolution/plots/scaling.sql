-- Figures and table of shared/scaling.sql.
create view scaled as select *, filter as work from measured;
