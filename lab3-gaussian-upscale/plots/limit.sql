-- The experiment `limit` in this lab; driver/plots/shared/limit.sql makes the rest.

-- NPP's cubic interpolation, `lagrange`, stands beside the libraries' bicubic one.
create view limits as
    select *, iif(method = 'lagrange', 'bicubic', method) as work from measured;
create table drawn as select column1 as work from (values ('gauss'), ('bicubic'));
create table targets (variant, work, size, compared_with, its_work, goal);
-- No library has the Gaussian: it is compared with their cubic interpolation.
insert into targets values
    ('cuda_best', 'gauss', '7680x4320', 'copy', null, 86),
    ('cuda_best', 'bicubic', '7680x4320', 'copy', null, 80),
    ('cuda_best', 'bicubic', '7680x4320', 'libraries', 'bicubic', 2.8),
    ('cuda_best', 'gauss', '7679x4320', '7680x4320', 'gauss', 90.9),
    ('cuda_best', 'gauss', '256x256', 'empty', null, 50),
    ('cuda_best', 'gauss', '480x270', 'empty', null, 50),
    ('omp_best', 'gauss', '7680x4320', 'libraries', 'bicubic', 1.2),
    ('omp_best', 'bicubic', '7680x4320', 'libraries', 'bicubic', 1.2),
    ('omp_best', 'bilinear', '7680x4320', 'libraries', 'bilinear', 1.2),
    ('omp_best', 'gauss', '16x16', 'seq', 'gauss', 1),
    ('omp_best', 'gauss', '256x256', 'seq', 'gauss', 1),
    ('omp_best', 'gauss', '480x270', 'seq', 'gauss', 1),
    ('omp_best', 'gauss', '7679x4320', '7680x4320', 'gauss', 90.9);
