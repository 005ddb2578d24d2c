-- Figures and tables of the experiment `resolutions`: every filter at every size and block size.
-- Report 000's figures 3 to 9 have counterparts among them.

-- The time of a plain copy of the same bytes, and its speedup over seq: the limit for every variant
-- whose data come from memory. It was measured beside each variant, on the variant's own device;
-- here the GPU's counts, or the threaded CPU's if there is none.
create table runs as
    select *, printf('%dx%d', block_width, block_height) as block,
        iif(counts, kernel_ms_mean * percent_of_copy / 100, null) as copy_ms,
        iif(counts, speedup_kernel * 100 / percent_of_copy, null) as copy_speedup
    from (select *, iif((select max(on_gpu) from measured), on_gpu, threads > 1) as counts
        from measured);
update runs set block = null where block_width is null;

create table filters as
    select filter, mask_size, min(nth) as nth from runs group by filter;
create table largest as select size from runs order by pixels desc, nth limit 1;
create table texts as
    with one as (select count(*) = 1 as filter, (select count(distinct size) = 1 from runs) as size,
        count(*) || ' filters' as filters, min(filter) as name from filters)
    select
        iif(filter, name, 'mean of ' || filters) as filters,
        iif(size, (select size from runs), (select count(distinct size) from runs) || ' sizes')
        || ', ' || iif(filter, name, filters) || ', all blocks' as all_runs
    from one;
insert into settings select 'FILTERS', filters from texts;
insert into settings select 'ALL_RUNS', all_runs from texts;
insert into settings select 'LARGEST', size from largest;
insert into settings select 'COPY_SPEEDUP', avg(copy_speedup) from runs;
insert into settings select 'COPY_MS', avg(copy_ms) from runs;

-- Speedup against the pixels of a block, a figure for each size: means over the same filters for all
-- variants with blocks. Blocks of different shape but as many pixels (16x16 and 32x8) share a point.
create table with_times as
    select variant, size, block, block_width * block_height as block_pixels,
        avg(kernel_ms_mean) as ms, avg(speedups.value) as speedup, avg(speedups.low) as low,
        avg(speedups.high) as high
    from runs left join speedups using (nth) where block is not null and on_gpu
        and kernel_ms_mean is not null group by variant, size, block;
-- output: lines.tsv
select 'blocks-' || size as figure, variant as title, look, block_pixels as x, avg(speedup) as value,
    min(low) as low, max(high) as high
from with_times join looks using (variant) join variants using (variant)
where speedup is not null group by size, variant, block_pixels order by size, variants.nth, block_pixels;

-- Mean speedup and mean time of every variant. On a machine without a GPU, there are no transfers
-- to tell from kernels.
create view means as
    select variant, look, row_number() over (order by min(nth)) as place,
        avg(speedups.value) as speedup, avg(speedups.low) as low, avg(speedups.high) as high,
        avg(kernel_ms_mean) as kernel, avg(total_ms_mean) as total
    from runs left join speedups using (nth) join looks using (variant) group by variant;
-- output: rows.tsv
select 'mean-speedup' as figure, variant as name, look, place, speedup as value, low, high,
    coalesce('{' || low || '}' || iif(high > low, ' to {' || high || '}', '') || '×', 'wrong result: not timed') as label
from means where (select max(speedup) from means) is not null
union all
select 'mean-time', variant, look, place, kernel, kernel, total,
    ifnull('{' || kernel || '}' || iif(total > kernel, ' and {' || total || '}', '') || ' ms',
        'wrong result: not timed')
from means where (select max(on_gpu) from runs)
union all
-- gnuplot repeats the label before a blank one, but not before a no-break space.
select 'mean-time', variant, 44, place, total, total, total, char(160)
from means where (select max(on_gpu) from runs) and total > kernel
order by figure, place;

-- Time of every filter at the largest size, with the best block; small masks first.
create table best as
    select *, min(kernel_ms_mean) from runs join largest using (size) group by variant, filter;
create view shown_filters as
    select filter, mask_size, row_number() over (order by mask_size, nth) as x from filters
    where filter in (select filter from best);
-- output: dots.tsv
select 'filters' as figure, variant as title, look, x, filter as category,
    kernel_ms_mean as value, low, high
from best join shown_filters using (filter) join looks using (variant)
    join variants using (variant)
where kernel_ms_mean is not null order by variants.nth, x;

-- results.md: what each variant does with its best block, for one 3x3 and one 5x5 filter, or for
-- all that were measured if neither of the two was.
create table in_results as
    select * from shown_filters where filter in ('sharpen', 'gauss5') order by filter = 'gauss5';
insert into in_results
    select * from shown_filters where not exists (select * from in_results) order by x;
-- output: results.md
select printf('%s, a %dx%d mask, at %s', filter, f.mask_size, f.mask_size, size) as title, variant,
    iif(kernel_ms_mean is null, null, block) as "best block", ms_or_wrong as "kernel ms",
    total_ms_mean as "total ms", cold_ms as "cold ms", gb_per_s as "GB/s",
    percent_of_copy as "% of copy", kernel as "speedup kernel", total as "speedup total"
from best left join speedups using (nth) join in_results f using (filter)
    join variants using (variant)
order by f.rowid, variants.nth;
select means || ' ' || facts from notes;

-- blocks.md: mean time for each block at the largest size.
-- output: blocks.md
select 'Time in ms at ' || size || ' for each block, ' || filters as title, variant,
    blocks.nth as nth_column, printf('%s, %d pixels', block, pixels) as "column", ms as cell
from (select block, block_width * block_height as pixels, min(nth) as nth from runs
        where block is not null group by block) blocks, texts,
    largest join (select distinct variant from with_times) join variants using (variant)
    left join with_times using (variant, size, block)
where exists (select * from with_times)
order by variants.nth, blocks.nth;
select facts from notes where exists (select * from with_times);
