-- The rate of arithmetic of every variant against its operations per byte, below what the machine's
-- memory and arithmetic allow.
--
-- The operations of kernels are those that Nsight Compute counted, if there is a profile.csv of the
-- same GPU; otherwise, like those of variants on the CPU, they follow from a formula. The bytes are
-- those of input and output, each once, as in percent_of_copy: most of the output is still in the
-- L2 cache when a kernel ends, so what DRAM has moved by then says little of its need for memory.

create table if not exists csv_profile
    (variant, flop, duration_ms, l1_bytes, l2_bytes, dram_bytes, memory_percent, compute_percent);
create view counted as   -- of all kernels of a variant
    select variant, total(flop) as flop, total(duration_ms) as ms from csv_profile group by variant;
create table runs as
    select *, operations / bytes as x, operations / ms / 1e6 as y
    from (select m.nth, variant, size, told, bytes, iif(on_gpu, 'gpu', 'cpu') as device,
            iif(on_gpu, 0, threads) as roof, fma_gflop_per_s, ceiling_gb_per_s,
            iif(on_gpu and (select count(*) from csv_profile), c.flop, m.flop) as operations,
            iif(on_gpu and (select count(*) from csv_profile), c.ms, kernel_ms_mean) as ms
        from measured m join methods using (method) left join counted c using (variant));

-- Roofs are of as many threads as the variant has, and of the GPU where it has none.
create table roofs as
    select device, roof, avg(fma_gflop_per_s) as fma, avg(ceiling_gb_per_s) as copy,
        iif(roof, printf(', %d thread%s', roof, iif(roof = 1, '', 's')), '') as whose
    from runs group by device, roof having fma is not null;
create table points as
    select device as plot, nth, look, x, y, variant || ' {' || y || '}' as label
    from runs join looks using (variant) where x is not null and y is not null;
create table axes as
    select plot, min(min(x), (select min(fma / copy) from roofs where device = plot)) / 4 as x_low,
        max(max(x), (select max(fma / copy) from roofs where device = plot)) * 4 as x_high,
        min(y) / 2 as y_low, (select max(fma) from roofs where device = plot) * 2 as y_high
    from points where plot in (select device from roofs) group by plot;
insert into ends select plot, nth, ln(y / y_low) / ln(y_high / y_low), 0.05
    from points join axes using (plot);

-- The original report (003) has a roofline for each of its four kernels; its last one has pixels of
-- four bytes from the beginning. A kernel has one rate of arithmetic, and an arithmetic intensity
-- for each place where its bytes can be counted. DRAM sees fewer than the input and output: when
-- the kernel ends, most of the output is still in the L2 cache. L2 and L1 see more, because
-- neighbouring threads and blocks read the same pixels.
create table kernels as
    select column2 as plot, variant, p.flop / p.duration_ms / 1e6 as rate, p.flop, l1_bytes,
        l2_bytes, dram_bytes, bytes, compute_percent, memory_percent
    from (values ('cuda_naive', 'naive'), ('cuda_constant', 'constant'), ('cuda_shared', 'shared'),
        ('cuda_uchar4_packed', 'uchar4')) join csv_profile p on variant = column1
        join runs using (variant)
    where exists (select * from roofs where device = 'gpu');
create view places as
    select plot, id, key as place, kernels.flop / value as x, rate as y,
        row_number() over (partition by plot order by id) as nth
    from kernels, json_each(json_object('L1 cache', l1_bytes, 'L2 cache', l2_bytes,
        'DRAM', dram_bytes, 'input and output, once', bytes)) where value > 0;
-- All have the same axes, so that one can be laid over the other.
insert into axes
    select plot, min(fma / copy, (select min(x) from places)) / 4,
        max(fma / copy, (select max(x) from places)) * 4,
        min(fma, (select min(y) from places)) / 4, 3 * fma
    from kernels, roofs where device = 'gpu';

-- output: points.tsv
select 'roofline-' || plot as figure, look, x, y, label, at, label_at
from points join axes using (plot) join label_places on figure = plot
    and label_places.nth = points.nth
order by plot, points.nth;
-- output: places.tsv
select 'roofline-' || plot as figure, 'bytes: ' || place as title, id, x, y
from places order by 1, id;
-- A roof: along the memory's slope to the ridge, then level.
-- output: roofs.tsv
select 'roofs-' || plot as figure, max(x_low, y_low / copy) as start, fma / copy as ridge, fma,
    copy,
    'multiply-adds' || whose || ': {' || fma || '} GFLOP/s' as fma_label,
    'copy' || whose || ': {' || copy || '} GB/s' as copy_label
from axes join roofs on device = iif(plot = 'cpu', 'cpu', 'gpu') order by 1, roof;
-- output: axes.tsv
select 'axes-' || plot as figure, x_low, x_high, y_low, y_high,
    coalesce(': roofline of ' || variant || ', counted by Nsight Compute',
        ', ' || name || ': roofline of the ' || upper(plot) || ', points '
        || iif(plot = 'gpu' and (select count(*) from csv_profile),
        'as counted by Nsight Compute', 'by formula')) as title,
    printf('{%s} GFLOP/s, {%s} %% of the multiply-adds;', rate, 100 * rate / fma) as note,
    printf('SM busy {%s} %%, memory {%s} %%', compute_percent, memory_percent) as busy
from axes left join kernels using (plot) left join roofs on device = 'gpu',
    (select iif(method = 'gauss', 'Gaussian', method) as name from measured limit 1);
insert into settings select 'SIZE', size from runs order by nth limit 1;
