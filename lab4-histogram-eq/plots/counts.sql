-- Why the emulation and Nsight Compute count differently: see driver/plots/shared/counts.sql.
create table reasons (variant, kernel, metric, reason);
-- The launch takes as many blocks as are resident at the same time.
insert into reasons
    select variant, kernel, '%_atom.sum',
        'the grid depends on the number of multiprocessors: 4 emulated, 132 in the H200'
    from (select 'cuda_grid_stride' as variant, 'count_rows' as kernel
        union all select 'cuda_%', 'count_in_shared'
        union all select 'cuda_warp_histograms', 'count_by_warps'
        union all select 'cuda_lane_histograms', 'count_by_lanes'
        union all select 'cuda_cooperative', 'equalize_in_one_launch');
insert into reasons values
    ('cuda_best', 'equalize_in_cluster', '%bank_conflicts%_ld.sum',
        'Nsight Compute did not count the bank conflicts of this kernel''s loads');
