-- What the experiment `limit` has in this lab; harness/plots/shared/limit.sql makes the rest.

create view limits as select *, filter as work from measured;
create table drawn as select column1 as work from (values ('gauss3'), ('irregular5'));
create table targets (variant, work, size, compared_with, its_work, goal);
insert into targets values
    ('cuda_best', 'gauss3', '7680x4320', 'copy', null, 75),
    ('cuda_best', 'gauss3', '7680x4320', 'peer_npp', 'gauss3', 2),
    ('cuda_best', 'sharpen', '7680x4320', 'copy', null, 75),
    ('cuda_best', 'sharpen', '7680x4320', 'peer_npp', 'sharpen', 2),
    ('cuda_best', 'irregular5', '7680x4320', 'copy', null, 50),
    ('cuda_best', 'irregular5', '7680x4320', 'peer_npp', 'irregular5', 3),
    ('cuda_best', 'unsharp5', '7680x4320', 'copy', null, 50),
    ('cuda_best', 'unsharp5', '7680x4320', 'peer_npp', 'unsharp5', 3),
    ('cuda_best', 'gauss5', '7680x4320', 'copy', null, 70),
    ('omp_best', 'gauss3', '7680x4320', 'peer_opencv', 'gauss3', 4),
    ('omp_best', 'sharpen', '7680x4320', 'peer_opencv', 'sharpen', 4),
    ('omp_best', 'irregular5', '7680x4320', 'peer_opencv', 'irregular5', 5),
    ('omp_best', 'unsharp5', '7680x4320', 'peer_opencv', 'unsharp5', 5),
    ('omp_best', 'gauss5', '7680x4320', 'peer_opencv', 'gauss5', 8);
