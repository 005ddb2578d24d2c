-- What the experiment `limit` has in this lab; harness/plots/shared/limit.sql makes the rest.

create view limits as select *, "case" as work from measured;
create table drawn as select 'landscape' as work;
create table targets (variant, work, size, compared_with, its_work, goal);
insert into targets values
    ('cuda_best', 'landscape', '3072x4096', 'peer_npp', 'landscape', 2),
    ('cuda_best', 'landscape', '7680x4320', 'copy3', null, 60),
    ('cuda_streamed', 'landscape', '3072x4096', 'total:seq', 'landscape', 1),
    ('omp_best', 'landscape', '7680x4320', 'peer_opencv', 'landscape', 1.5),
    ('omp_best', 'landscape', '3072x4096', 'peer_opencv', 'landscape', 1.5);
