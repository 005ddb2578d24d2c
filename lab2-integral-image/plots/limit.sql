-- The experiment `limit` in this lab; driver/plots/shared/limit.sql makes the rest.

create view limits as select *, "case" as work from measured;
create table drawn as select column1 as work from (values ('32-bit'), ('64-bit'));
create table targets (variant, work, size, compared_with, its_work, goal);
-- A library or scan in 32 bits at 8192x8192: pixels up to 31. On the CPU, 1.1 times the time of a
-- copy is 90.9 % of its rate.
insert into targets values
    ('cuda_best', '32-bit', '8192x8192', 'copy', null, 90),
    ('cuda_best', '64-bit', '8192x8192', 'copy', null, 84),
    ('cuda_best', '32-bit', '8191x8191', '8192x8192', '32-bit', 90.9),
    ('cuda_best', '64-bit', '8191x8191', '8192x8192', '64-bit', 90.9),
    ('cuda_best', '32-bit', '256x256', 'empty', null, 50),
    ('cuda_best', '32-bit', '480x270', 'empty', null, 50),
    ('cuda_best', '64-bit', '256x256', 'empty', null, 50),
    ('cuda_best', '64-bit', '480x270', 'empty', null, 50),
    ('omp_best', '32-bit', '8192x8192', 'copy', null, 100),
    ('omp_best', '64-bit', '8192x8192', 'copy', null, 90.9),
    ('omp_best', '32-bit', '16x16', 'seq_scan', '32-bit', 1),
    ('omp_best', '32-bit', '256x256', 'seq_scan', '32-bit', 1),
    ('omp_best', '32-bit', '480x270', 'seq_scan', '32-bit', 1),
    ('omp_best', '32-bit', '8191x8191', '8192x8192', '32-bit', 90.9),
    ('omp_best', '64-bit', '8191x8191', '8192x8192', '64-bit', 90.9);
