-- What the experiment `limit` has in this lab; harness/plots/shared/limit.sql makes the rest.

create view limits as select *, filter as work from measured;
create table drawn as select column1 as work from (values ('gauss3'), ('irregular5'));
create table targets (variant, work, size, compared_with, its_work, goal);
-- On the CPU, 1.3 times the time of a copy is 76.9 % of its rate, 1.7 times is 58.8 %. Ten percent
-- more time is 90.9 % of the rate.
insert into targets values
    ('cuda_best', 'gauss3', '7680x4320', 'copy', null, 90),
    ('cuda_best', 'gauss3', '7680x4320', 'libraries', 'gauss3', 4),
    ('cuda_best', 'sharpen', '7680x4320', 'copy', null, 90),
    ('cuda_best', 'sharpen', '7680x4320', 'libraries', 'sharpen', 4),
    ('cuda_best', 'box3', '7680x4320', 'copy', null, 90),
    ('cuda_best', 'box3', '7680x4320', 'libraries', 'box3', 4),
    ('cuda_best', 'irregular5', '7680x4320', 'copy', null, 75),
    ('cuda_best', 'irregular5', '7680x4320', 'libraries', 'irregular5', 4),
    ('cuda_best', 'unsharp5', '7680x4320', 'copy', null, 75),
    ('cuda_best', 'unsharp5', '7680x4320', 'libraries', 'unsharp5', 4),
    ('cuda_best', 'gauss5', '7680x4320', 'copy', null, 88),
    ('cuda_best', 'gauss3', '7679x4320', '7680x4320', 'gauss3', 90.9),
    ('cuda_best', 'irregular5', '7679x4320', '7680x4320', 'irregular5', 90.9),
    ('cuda_best', 'gauss3', '256x256', 'empty', null, 50),
    ('cuda_best', 'gauss3', '480x270', 'empty', null, 50),
    ('cuda_best', 'irregular5', '256x256', 'empty', null, 50),
    ('cuda_best', 'irregular5', '480x270', 'empty', null, 50),
    ('omp_best', 'gauss3', '7680x4320', 'copy', null, 76.9),
    ('omp_best', 'box3', '7680x4320', 'copy', null, 76.9),
    ('omp_best', 'gauss5', '7680x4320', 'copy', null, 58.8),
    ('omp_best', 'gauss3', '7680x4320', 'libraries', 'gauss3', 1),
    ('omp_best', 'box3', '7680x4320', 'libraries', 'box3', 1),
    ('omp_best', 'sharpen', '7680x4320', 'libraries', 'sharpen', 1),
    ('omp_best', 'irregular5', '7680x4320', 'libraries', 'irregular5', 1.5),
    ('omp_best', 'unsharp5', '7680x4320', 'libraries', 'unsharp5', 1.5),
    ('omp_best', 'gauss5', '7680x4320', 'libraries', 'gauss5', 1.2),
    ('omp_best', 'gauss3', '7679x4320', '7680x4320', 'gauss3', 90.9);
