-- Why the emulation and Nsight Compute count differently: see harness/plots/shared/counts.sql.
create table reasons (variant, kernel, metric, reason);
insert into reasons values
    ('cuda_global', '%', '%_ld.sum',
        'nvcc unrolls the inner loop; an older emulation mixed iterations of nested loops'),
    ('cuda_shared', '%', '%conflicts%',
        'an older emulation mixed the iterations of nested loops');
