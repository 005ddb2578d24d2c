-- Why the emulation and Nsight Compute count differently: see driver/plots/shared/counts.sql.
create table reasons (variant, kernel, metric, reason);
insert into reasons values
    ('cuda_shared', '%', '%_ld.sum',
        'nvcc unrolls the loop that fills the tile: its last lanes make requests of their own'),
    ('cuda_unrolled', '%', '%_ld.sum',
        'nvcc unrolls the loop that fills the tile: its last lanes make requests of their own'),
    ('cuda_global_mask', '%', '%_ld.sum',
        'g++ loads the size of the mask for each tap, nvcc for each row of taps');
