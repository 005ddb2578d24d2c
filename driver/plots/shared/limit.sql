-- Tables and figures of the experiment `limit`, which every lab has. The lab's limit.sql makes:
--
--     limits     `measured` with a column `work`, which tells problems of one size apart
--     drawn      (work): those that get a figure

create table works as select work, min(nth) as nth from limits group by work;
create table sizes as select work, size, pixels from limits group by work, size;
create table empty_kernels as
    select size, pixels, min(empty_ms) as ms from limits where empty_ms is not null group by size;
create table largest_size as select size from sizes order by pixels desc limit 1;
insert into settings select 'LARGEST_SIZE', size from largest_size;

-- Bars: a variant each, at the largest size. All bars of a processor have one denominator: the best
-- rate of a copy of as many bytes that was seen there, with any work. The rates of a copy differ
-- between works and threads; their range is said.
create table copies as
    select size, bytes, on_gpu, max(copy_gb_per_s) as best, min(copy_gb_per_s) as least
    from limits where copy_gb_per_s is not null group by size, bytes, on_gpu;
insert into settings
    select 'COPY_' || iif(on_gpu, 'GPU', 'CPU'), iif(round(least) < round(best),
        printf('%.0f to %.0f GB/s', least, best), printf('%.0f GB/s', best))
    from (select on_gpu, min(least) as least, max(best) as best
        from copies join largest_size using (size) group by on_gpu);
-- output: bars.tsv
with shares as (
    select limits.*, 100 * gb_per_s / best as share from limits
        left join copies using (size, bytes, on_gpu))
select 'limit-' || work as figure, variant as name, look,
    row_number() over (partition by work order by variants.nth) as place,
    iif(quiet, share, share * kernel_ms_mean / kernel_ms_median) as value,
    share * kernel_ms_mean / high as low, share * kernel_ms_mean / low as high,
    iif(kernel_ms_mean is null, 'wrong result: not timed', ifnull(iif(quiet, '{' || share || '}',
        range_of(share * kernel_ms_mean / high, share * kernel_ms_mean / low)) || ' % (',
        '(no copy was timed: ') || '{' || kernel_ms_mean || '} ms)') as label
from shares join variants using (variant) join looks using (variant)
    join drawn using (work) join largest_size using (size)
order by figure, place;

-- Everything that was measured. In brackets: from quartile to quartile, in percent of the time.
create view shown as
    with timed as (select distinct work, variant from limits where kernel_ms_mean is not null)
    select work, works.nth as part, variants.nth as nth_row, variant as name, size, pixels,
        '{' || kernel_ms_mean || '}' || iif(kernel_ms_q1 is null, '', printf(' (%.1f %%)',
            100 * (high - low) / kernel_ms_mean)) as ms, percent_of_copy as percent
    from works join timed using (work) join variants using (variant)
        join sizes using (work) left join limits using (work, variant, size, pixels)
    union all select work, works.nth, 1e6, 'an empty kernel', size, pixels, '{' || ms || '}', null
    from works join sizes using (work) left join empty_kernels using (size, pixels)
    where (select size from largest_size) in (select size from empty_kernels);
-- output: limit.md
with cells as (
    select part, nth_row, work, name, pixels as place, size || ', ms' as "column", ms as cell
    from shown
    union all select part, nth_row, work, name, pixels + 0.5, '% of copy', '{' || percent || '}'
    from shown)
select work as title, name as variant, place as nth_column, "column", cell from cells
order by part, nth_row, place;
select means || iif((select count(kernel_ms_q1) from data),
    ' In brackets: from quartile to quartile, in percent of the time.', '') || ' ' || facts
from notes;

-- `omp_best` beside the libraries of the CPU, where there are several, with images of 10 megapixels
-- and more. The ratio is that of the fastest library.
create table side_by_side as
    select work, size, works.nth as place, pixels, variant, kernel_ms_mean as ms, quiet
    from limits join works using (work)
    where (variant = 'omp_best' or variant like 'peer_%') and not on_gpu and pixels > 1e7
        and kernel_ms_mean is not null;
create view compared_rows as
    select work, size, row_number() over (order by place, pixels) as nth,
        min(peer.ms) / ours.ms as ratio
    from side_by_side ours join side_by_side peer using (work, size, place, pixels)
    where ours.variant = 'omp_best' and peer.variant like 'peer_%' and ours.quiet and peer.quiet
        and (select count(distinct variant) from side_by_side where variant like 'peer_%') > 1
    group by work, size;
-- output: libraries.md
with cells as (
    select rows.nth, work, size, variants.nth as place, variant || ', ms' as "column",
        '{' || ms || '}' || iif(quiet, '', ' (too noisy)') as cell
    from compared_rows rows join side_by_side using (work, size) join variants using (variant)
    union all select nth, work, size, 1e6, 'times as fast as the fastest of them',
        '{' || ratio || '}' from compared_rows)
select work || ', ' || size as work, place as nth_column, "column", cell from cells
order by nth, place;
select means || ' ' || facts from notes where exists (select * from compared_rows);
