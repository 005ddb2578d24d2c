-- Figures and table of shared/scaling.sql.
create view scaled as select *, '32-bit sums' as work from measured;
