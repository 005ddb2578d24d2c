-- What the experiment `limit` has in this lab; harness/plots/shared/limit.sql makes the rest.

create view limits as select *, "case" as work from measured;
create table drawn as select column1 as work from (values ('32-bit'), ('64-bit'));
create table targets (variant, work, size, compared_with, its_work, goal);
-- A library or scan in 32 bits at 8192x8192: pixels up to 31. On the CPU, 1.6 times the time of a
-- copy is 62.5 % of its rate.
insert into targets values
    ('cuda_best', '32-bit', '8192x8192', 'copy', null, 80),
    ('omp_best', '32-bit', '8192x8192', 'copy', null, 62.5);
