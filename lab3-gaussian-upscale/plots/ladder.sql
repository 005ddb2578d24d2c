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
    union all select ending, nth, variant, look, kernel_ms_mean, low, high,
        iif(kernel_ms_mean is null, ms_or_wrong, ms_or_wrong || ' ms'
            || ifnull(' ({' || iif(on_gpu, speedup_on_gpu, speedup_kernel) || '}×)', ''))
    from shown)
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
with lines as (
    select method_nth as part, 0 as nth, printf('**%s, %s**', size, told) || char(10, 10)
        || '| variant | kernel ms | total ms | cold ms | GB/s | % of copy | speedup over seq |'
        || ifnull(' over ' || first || ' |', '')
        || iif(count(report_ms),
            printf(' report 003''s ms, GTX 1660 Ti | its speedup over its %s |', first), '')
        || char(10) || '| :-- | --: | --: | --: | --: | --: | --: |'
        || iif(first is null, '', ' --: |')
        || iif(count(report_ms), ' --: | --: |', '') as line
    from shown group by method_nth
    union all select method_nth, nth, printf('| %s | %s | {%s} | {%s} | {%s} | {%s} | {%s} |',
        variant, ms_or_wrong, total_ms_mean, cold_ms, gb_per_s, percent_of_copy, speedup_kernel)
        || iif(first is null, '', printf(' {%s} |', speedup_on_gpu))
        || iif((select count(report_ms) from shown s where s.method = shown.method),
            printf(' %s | {%s} |', iif(report_ms is null, '-',
            printf('%.3f', report_ms)), report_speedup), '')
    from shown
    union all select distinct method_nth, 1e9, '' from shown)
select line from lines order by part, nth;
select means || ' ' || facts from notes;
