-- Why the emulation and Nsight Compute count differently: see driver/plots/shared/counts.sql.
create table reasons (variant, kernel, metric, reason);
insert into reasons values
    ('cuda_global_weights', '%', '%_ld.sum',
        'g++ loads a weight for each channel, nvcc once for all three'),
    ('cuda_shared', '%', '%conflicts%',
        'the counter includes wavefronts repeated for other reasons'),
    ('cuda_shared_rows', '%', '%conflicts%',
        'nvcc loads four neighbouring floats at once, g++ one after the other');
