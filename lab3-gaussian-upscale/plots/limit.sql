-- What the experiment `limit` has in this lab; harness/plots/shared/limit.sql makes the rest.

create view limits as select *, method as work from measured;
create table drawn as select column1 as work from (values ('gauss'), ('bicubic'));
create table targets (variant, work, size, compared_with, its_work, goal);
insert into targets values
    ('cuda_best', 'gauss', '7680x4320', 'copy', null, 65),
    ('cuda_best', 'gauss', '7680x4320', 'peer_npp', 'bicubic', 4),
    ('omp_best', 'gauss', '7680x4320', 'peer_opencv', 'bicubic', 4),
    ('omp_best', 'bicubic', '7680x4320', 'peer_opencv', 'bicubic', 4);
