-- Figures and tables of the experiment `resolutions`: every filter at every size and block size.
-- Report 000's figures 3 to 9 are among them.

-- What a plain copy of the same bytes takes, and its speedup over seq: the limit for every variant
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
create table with_blocks as select distinct variant from runs where block is not null;
create table texts as
    with one as (select count(*) = 1 as filter, (select count(distinct size) = 1 from runs) as size,
        count(*) || ' filters' as filters, min(filter) as name,
        -- A time that is too noisy has no speedup, and means are without it.
        iif((select count(kernel_ms_mean) > count(speedup_kernel) from runs),
            ', without noisy times', '') as without from filters)
    select iif(filter, name, 'mean of ' || filters) || without as mean_of_filters,
        iif(size, (select size from runs), (select count(distinct size) from runs) || ' sizes')
        || ', ' || iif(filter, name, filters) || ', all blocks' as all_runs, without
    from one;
insert into settings select 'MEAN_OF_FILTERS', mean_of_filters from texts;
insert into settings select 'ALL_RUNS', all_runs from texts;
insert into settings select 'WITHOUT_NOISE', without from texts;
insert into settings select 'LARGEST', size from largest;
insert into settings select 'X_LOW', min(16, min(threads_per_block)) from runs;
insert into settings select 'X_HIGH', max(1024, max(threads_per_block)) from runs;
insert into settings select 'COPY_SPEEDUP', avg(copy_speedup) from runs;
insert into settings select 'COPY_MS', avg(copy_ms) from runs;

-- Speedup against threads per block, a figure for each size. Blocks of different shape but as many
-- threads (16x16 and 32x8) share a point.
create table curves as
    select variant, size, threads_per_block as x, avg(speedup_kernel) as value
    from runs where block is not null and speedup_kernel is not null
    group by variant, size, threads_per_block;
-- output: lines.tsv
select 'speedup-' || size as figure, variant as title, look, x, value, value as low, value as high
from curves join looks using (variant) join variants using (variant) order by size, nth, x;

-- Level lines in these figures: the variants without blocks, and the copy. A line that lies on the
-- axis, whose scale is that of the curves, is drawn at the fraction `at` of the axis; others are
-- only named, above or below. Names are kept `gap` apart: in order of height, each is pushed up
-- above the one below it, and then all are pushed down as far as the top requires.
create view axes as
    select size, iif(wide, low / 1.3, 0) as bottom, high * iif(wide, 1.3, 1.1) as top, wide
    from (select size, min(value) as low, max(value) as high,
        min(value) > 0 and max(value) / min(value) > 20 as wide from curves group by size);
create view levels as
    select size, variant as name, look, variants.nth, avg(speedup_kernel) as y
    from runs join looks using (variant) join variants using (variant)
    where variant not in with_blocks group by size, variant
    union all select size, 'copy limit', 41, 0, avg(copy_speedup) from runs group by size;
-- output: levels.tsv
with placed as (
        select *, iif(wide, ln(y / bottom) / ln(top / bottom), y / top) as at, 0.058 as gap
        from levels join axes using (size) where y is not null),
    ranked as (select *, row_number() over (partition by size order by at, nth) as k,
        count(*) over (partition by size) as n from placed),
    pushed_up as (select *, max(at - k * gap) over (partition by size order by k) + k * gap as up
        from ranked)
select 'levels-' || size as figure, name, look, iif(at between 0.005 and 1, at, -1) as at,
    iif(at > 1, '↑ ', iif(at < 0.005, '↓ ', '')) || name || ' {' || y || '}×' as label,
    min(1 - (n - k) * gap, min(up - k * gap) over
        (partition by size order by k desc) + k * gap) as label_at,
    bottom, top, wide
from pushed_up order by size, nth;

-- Mean speedup and mean time of every variant. On a machine without a GPU, there are no transfers
-- to tell from kernels.
create view means as
    select variant, look, row_number() over (order by min(nth)) as place,
        avg(speedup_kernel) as speedup, avg(kernel_ms_mean) as kernel, avg(total_ms_mean) as total
    from runs join looks using (variant) group by variant;
-- output: rows.tsv
select 'mean-speedup' as figure, variant as name, look, place, speedup as value, speedup as low,
    speedup as high, coalesce('{' || speedup || '}×', 'too noisy ({' || kernel || '} ms)',
        'wrong result: not timed') as label
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
with lines as (
    select f.rowid as part, -1 as nth, printf('**%s, a %dx%d mask, at %s**', filter, mask_size,
        mask_size, size) || char(10, 10) || '| variant | best block | kernel ms | total ms '
        || '| cold ms | GB/s | % of copy | speedup kernel | speedup total |' || char(10)
        || '| :-- | --: | --: | --: | --: | --: | --: | --: | --: |' as line
    from in_results f, largest
    union all
    select f.rowid, variants.nth,
        printf('| %s | %s | %s | {%s} | {%s} | {%s} | {%s} | {%s} | {%s} |', variant,
        iif(kernel_ms_mean is null, '-', ifnull(block, '-')), ms_or_wrong, total_ms_mean,
        cold_ms, gb_per_s, percent_of_copy, speedup_kernel, speedup_total)
    from best join in_results f using (filter) join variants using (variant)
    union all select rowid, 1e9, '' from in_results)
select line from lines order by part, nth;
select means || ' ' || facts from notes;

-- blocks.md: mean speedup for each block at the largest size.
insert into tables
    select 1, 'Speedup over seq at ' || size || ' for each block, ' || mean_of_filters,
        '| variant |', '| :-- |'
    from largest, texts where exists (select * from with_blocks);
insert into cells
    select 1, variants.nth, '| ' || variant || ' |', blocks.nth,
        printf('%s, %d threads', block, threads_per_block),
        (select '{' || avg(speedup_kernel) || '}' from runs r join largest using (size)
            where r.variant = variants.variant and r.block = blocks.block)
    from variants join with_blocks using (variant)
        join (select block, threads_per_block, min(nth) as nth from runs where block is not null
            group by block) blocks;
-- output: blocks.md
select line from markdown;
select facts from notes where exists (select * from with_blocks);
