-- Every variant at one size, beside report 003's four. The staircase of shared/ladder.sql is drawn
-- at the largest size.
create view climbed as
    select measured.*, told as work from measured join methods using (method)
    where pixels = (select max(pixels) from measured) and (method = 'gauss' or backend = 'peer');

-- Speedups are over the first kernel on the GPU, as in the report; on the CPU over seq.
create view of_size as select * from measured where pixels = (select min(pixels) from measured);
create table firsts as
    select method, variant as first, min(nth), kernel_ms_mean as first_ms from of_size
    where backend = 'cuda' and kernel_ms_mean is not null group by method;
-- The report timed the Gaussian at one size; beside other rows its times would mean nothing.
create table report as
    select 'gauss' as method, variant, ms as report_ms,
        (select ms from report_ladder limit 1) / ms as report_speedup
    from report_ladder where printf('%dx%d', width, height) in (select size from of_size);
create table shown as
    select m.*, look, ending, told, methods.nth as method_nth, first, report_ms, report_speedup,
        iif(on_gpu, first_ms / kernel_ms_mean, null) as speedup_on_gpu
    from of_size m join methods using (method) join looks using (variant)
        left join firsts using (method) left join report using (method, variant);

-- A figure for each method. Of every variant there is a row, and one above it of those that the
-- report timed.
-- output: rows.tsv
with lines as (
    select ending, nth - 0.5 as nth, 'report 003: ' || variant as name, 41 as look,
        report_ms as value, report_ms as low, report_ms as high,
        printf('{%s} ms ({%s}×)', report_ms, report_speedup) as label
    from shown where report_ms is not null
    union all select ending, nth, variant, look, kernel_ms_mean, shown.low, shown.high,
        iif(kernel_ms_mean is null, ms_or_wrong, ms_or_wrong || ' ms'
            || ifnull(' (' || iif(on_gpu, '{' || speedup_on_gpu || '}', speedups.kernel) || '×)',
            ''))
    from shown left join speedups using (nth))
select 'ladder' || ending as figure, *,
    row_number() over (partition by ending order by nth) as place
from lines order by ending, nth;
-- output: notes.tsv
select distinct 'notes' || ending as figure, 'Upscaling ' || size || ' by 2, ' || told as title,
    ifnull(first || ' on the GPU, over seq on the CPU', 'seq') as over,
    iif((select count(report_ms) from shown s where s.method = shown.method),
        'crosses: report 003''s (GTX 1660 Ti)', '') as crosses
from shown;

-- output: ladder.md
with cells (nth, place, "column", cell) as (
    select nth, 0, 'variant', variant from shown
    union all select nth, 1, 'kernel ms', ms_or_wrong from shown
    union all select nth, 2, 'total ms', '{' || total_ms_mean || '}' from shown
    union all select nth, 3, 'cold ms', '{' || cold_ms || '}' from shown
    union all select nth, 4, 'GB/s', '{' || gb_per_s || '}' from shown
    union all select nth, 5, '% of copy', '{' || percent_of_copy || '}' from shown
    union all select nth, 6, 'speedup over seq', speedups.kernel
        from shown left join speedups using (nth)
    union all select nth, 7, 'over ' || first, '{' || speedup_on_gpu || '}' from shown
        where first is not null
    union all select nth, 8, 'report 003''s ms, GTX 1660 Ti',
        iif(report_ms is null, null, printf('%.3f', report_ms)) from shown
        where method in (select method from shown where report_ms is not null)
    union all select nth, 9, printf('its speedup over its %s', first),
        '{' || report_speedup || '}' from shown
        where method in (select method from shown where report_ms is not null))
select size || ', ' || told as title, cells.nth as nth_row, place as nth_column, "column", cell
from cells join shown using (nth) order by method_nth, nth, place;
select means || ' ' || facts from notes;
