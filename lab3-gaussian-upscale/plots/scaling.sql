-- Figures and table of shared/scaling.sql.
create view scaled as select *, method as work from measured;
