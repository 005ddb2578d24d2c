-- Figures and tables of the experiment `images`: every variant on pictures like report 004's eight.

create table by_size as select "case", row_number() over (order by pixels, nth) as x from cases;
create table fastest as  -- on the GPU, on the CPU
    select nth, "case", on_gpu, variant, min(total_ms_mean) as ms
    from times where total_ms_mean is not null group by "case", on_gpu;

-- From host to host, by picture. Kernels with the harness's transfers take about the same time, so
-- of those that are no library's only report 004's is drawn, and the fastest with the largest one.
create table shown as
    select distinct variant from times
    where backend <> 'cuda' or variant in (select variant from names where whole_way)
        or variant in (select variant from report)
        or variant = (select variant from times join largest using ("case")
            where backend = 'cuda' and not whole_way order by total_ms_mean is null, total_ms_mean);
-- output: dots.tsv
select 'images' as figure, title, look, x, "case" as category, value, value as low, value as high
from (select variant as title, look, variants.nth, "case", total_ms_mean as value
        from times join shown using (variant) join variants using (variant)
            join looks using (variant)
    union all select 'report 004: T_sequential', 41, 1e6, picture, sequential_ms
        from report_images
    union all select 'report 004: T_cuda', 42, 2e6, picture, cuda_ms from report_images)
    join by_size using ("case")
where value is not null order by nth, x;

-- Kernels, the largest picture. Of every variant there is a row, and above it one of the two that
-- the report timed.
-- output: rows.tsv
with shown_rows as (
    select variants.nth, 2 as second, name, look, kernel_ms_mean as value, times.low, times.high,
        ifnull('{' || kernel_ms_mean || '} ms' || ifnull(' (' || speedups.kernel || '×)', ''),
            ms_or_wrong) as label
    from times left join speedups on speedups.nth = times.nth join largest using ("case")
        join variants using (variant) join names using (variant) join looks using (variant)
    union all
    select variants.nth, 1, 'report 004: ' || variant, 41, ms, ms, ms,
        '{' || ms || '} ms (' || speedup || '×)'
    from (select 'seq' as variant, sequential_ms as ms, '1.00' as speedup, picture as "case"
                from report_images
            union all select variant, kernel_ms, speedup_kernel, picture from report_images, report)
        join largest using ("case") join variants using (variant))
select 'images-kernels' as figure, name, look, row_number() over (order by nth, second) as place,
    value, low, high, label
from shown_rows where exists (select * from shown_rows where value is not null) order by place;

-- Report 004's tables 1 and 2, with ours beside them: on a GPU those of its kernels here, and what
-- is fastest from host to host; without a GPU, those of all variants.
create table on_gpu as select 1 as yes where exists
    (select * from times join report using (variant) where on_gpu);
create table titles (part, title);
insert into titles
    select 1, printf('Times (ms): report 004''s table 1 (%s, %s) and ours', cpu, machine)
        from report
    union all select 2, 'Speedups: report 004''s table 2 and ours';

create view columns_ as  -- part, nth, column, case, cell
    select 1 as part, -1e6 + json_each.id as nth, key as "column", "case",
        cast(value as text) as cell
    from cases left join report_images on picture = "case", json_each(json_object(
        'report 004''s T_sequential', sequential_ms, 'its T_kernel', kernel_ms,
        'its T_cuda', cuda_ms))
    union all
    select 2, -1e6 + json_each.id, key, "case", cast(value as text)
    from cases left join report_images on picture = "case", json_each(json_object(
        'report 004''s S_kernel', speedup_kernel, 'its S_cuda', speedup_cuda))
    union all
    select 1 as part, -1 as nth, 'T_sequential' as column, "case",
        ifnull('{' || ms || '}', 'wrong result: not timed') as cell from baseline
    union all
    select 1, nth, variant, "case", ifnull('{' || total_ms_mean || '}', ms_or_wrong)
        from times where variant <> 'seq' and not exists (select * from on_gpu)
    union all
    select 2, nth, variant, "case", total
        from times join speedups using (nth)
        where variant <> 'seq' and not exists (select * from on_gpu);
create view gpu_columns as
    with of_report as (select times.*, kernel, total, first_call from times
        join report using (variant) join speedups using (nth))
    select 1 as part, 1 as nth, 'T_kernel' as column, "case", ms_or_wrong as cell from of_report
    union all select 1, 2, 'T_cuda, warm', "case", '{' || total_ms_mean || '}' from of_report
    union all select 1, 3, 'T_cuda, first call', "case", '{' || cold_ms || '}' from of_report
    union all select 1, 5 - on_gpu, 'fastest ' || iif(on_gpu, 'GPU, host to host', 'CPU'), "case",
        '{' || ms || '} (' || variant || ')' from fastest
    union all select 2, 1, 'S_kernel', "case", kernel from of_report
    union all select 2, 2, 'S_cuda, warm', "case", total from of_report
    union all select 2, 3, 'S_cuda, first call', "case", first_call from of_report
    union all select 2, 5 - on_gpu, 'fastest ' || iif(on_gpu, 'GPU, host to host', 'CPU'), "case",
        printf('%s (%s)', total, variant) from fastest join speedups using (nth);
create view all_columns as
    select part, min(nth) over (partition by part, "column") as nth, "column", "case", cell
    from columns_
    union all select part, nth, "column", "case", cell from gpu_columns
    where exists (select * from on_gpu);
-- output: images.md
select title, "case" as picture, c.nth as nth_column, "column", cell
from all_columns c join titles using (part) join cases using ("case")
order by part, cases.nth, c.nth;
select iif((select count(*) from on_gpu), 'T_kernel and T_cuda are those of ' || variant
    || '. A warm call finds the context and its buffers ready; the first call of a process makes'
    || ' them. ', '') || 'Speedups are over seq; a range is from quartile to quartile of both'
    || ' times. ' || means || ' ' || facts from notes, report;

-- results.md: everything on the largest picture.
-- output: results.md
select "case" as title, variant, ms_or_wrong as "kernel ms", total_ms_mean as "total ms",
    cold_ms as "cold ms", gb_per_s as "GB/s", percent_of_copy as "% of copy",
    speedups.kernel as "speedup kernel", speedups.total as "speedup total"
from times join largest using ("case") join variants using (variant)
    left join speedups on speedups.nth = times.nth order by variants.nth;
select 'Speedups are over seq. ' || means || ' ' || facts from notes;
