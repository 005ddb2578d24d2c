-- The experiment `limit` in this lab; driver/plots/shared/limit.sql makes the rest.

create view limits as select *, "case" as work from measured;
create table drawn as select 'landscape' as work;
create table targets (variant, work, size, compared_with, its_work, goal);
insert into targets values
    ('cuda_best', 'landscape', '7680x4320', 'copy', null, 82),
    ('cuda_best', 'landscape', '7680x4320', 'libraries', 'landscape', 1.8),
    ('cuda_best', 'landscape', '3072x4096', 'copy', null, 82),
    ('cuda_best', 'landscape', '3072x4096', 'libraries', 'landscape', 1.8),
    ('cuda_streamed', 'underexposed', '1024x683', 'total:seq', 'underexposed', 1),
    ('cuda_streamed', 'dark-interior', '1344x768', 'total:seq', 'dark-interior', 1),
    ('cuda_streamed', 'foggy', '1280x813', 'total:seq', 'foggy', 1),
    ('cuda_streamed', 'overexposed', '3680x2760', 'total:seq', 'overexposed', 1),
    ('cuda_streamed', 'underexposed', '3680x2760', 'total:seq', 'underexposed', 1),
    ('cuda_streamed', 'landscape', '3072x4096', 'total:seq', 'landscape', 1),
    ('cuda_best', 'landscape', '7679x4320', '7680x4320', 'landscape', 90.9),
    ('cuda_best', 'landscape', '256x256', 'empty', null, 50),
    ('cuda_best', 'landscape', '480x270', 'empty', null, 50),
    ('omp_best', 'landscape', '7680x4320', 'libraries', 'landscape', 1.2),
    ('omp_best', 'landscape', '3072x4096', 'libraries', 'landscape', 1.2),
    ('omp_best', 'landscape', '16x16', 'seq', 'landscape', 1),
    ('omp_best', 'landscape', '256x256', 'seq', 'landscape', 1),
    ('omp_best', 'landscape', '480x270', 'seq', 'landscape', 1),
    ('omp_best', 'landscape', '7679x4320', '7680x4320', 'landscape', 90.9);
