-- Why the emulation and Nsight Compute count differently: see driver/plots/shared/counts.sql.
create table reasons (variant, kernel, metric, reason);
insert into reasons values
    ('cuda_global', '%', '%_ld.sum',
        'nvcc unrolls the inner loop: the lanes that are in its remainder make requests of their own');
