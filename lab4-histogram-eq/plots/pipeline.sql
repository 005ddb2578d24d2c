-- Figures and tables of the experiment `pipeline`: where the time of a call from host to host goes,
-- in steps from report 004's program to one that is faster than the CPU.
--
-- A bar is the sum of its stages, each of which was waited for; the whole call, in which stages may
-- overlap, was measured apart, and is marked on it.

create table stages (stage integer, name, colour);
insert into stages values (2, 'allocation', '0x7a828a'),
    (3, 'upload', '0x8fc1e3'), (4, 'kernels', '0xd55e00'), (5, 'download', '0x2f7fc1'),
    (6, 'not told apart', '0xb9a7d6');

-- Calls on the largest picture. Rows of a wrong variant have no step; what they were told says
-- which it is. Stages that could be told apart are known, but for variants that do their own
-- transfers.
update times set step = iif(instr(parameters, ';'),
    replace(substr(parameters, instr(parameters, ';') + 1), ';', ' '), '-') where step is null;
create table calls as
    select times.*, variants.nth as nth_variant, baseline.ms as base,
        speedups.total as speedup, first_call, on_gpu and allocation_ms is not null as staged,
        times.nth = min(times.nth) over (partition by variant) as is_first
    from times join largest using ("case") join variants using (variant)
        left join baseline using ("case") left join speedups on speedups.nth = times.nth;
create table report_calls as
    select r.*, machine from report_images r join largest on picture = "case", report
    where exists (select * from calls where staged);

-- `pipeline` shows what became of report 004's program, after the first call; the table has the first
-- call, of which the context is most, and the report's own time. `pipeline-warm` shows all variants,
-- each below its name.
create table bars as
    with program as (select * from calls where nth_variant =
        (select min(nth_variant) from calls where staged) and staged)
    select 'pipeline' as figure, 2 as part, nth, nth as call, step as name,
        total_ms_mean as whole, speedup, 0 as is_whole,
        null as variant
    from program
    union all select 'pipeline', 3, nth, nth, step || ' (' || variant || ')', total_ms_mean,
        speedup, 1, null
        from calls where whole_way and is_first and exists (select * from program)
    union all select 'pipeline-warm', whole_way, nth, nth, step, total_ms_mean,
        speedup, whole_way, null
        from calls where (staged or whole_way and is_first) and exists (select * from program)
    union all select 'pipeline-warm', whole_way, min(nth) - 0.5, null, ' ', null, null, 0,
        variant
        from calls where (staged or whole_way) and exists (select * from program) group by variant;

-- The stages of each bar, and how long they took.
create table pieces as
    with measured_stages as (
        select nth as call, 2 as stage, allocation_ms as ms from calls where staged
        union all select nth, 3, upload_ms from calls where staged
        union all select nth, 4, kernels_ms from calls where staged
        union all select nth, 5, download_ms from calls where staged)
    select figure, part, bars.nth, stage, ms from bars join measured_stages using (call)
    where not is_whole
    union all select figure, part, nth, 6, whole from bars where is_whole;
create table placed as
    select *, row_number() over (partition by figure order by part, nth) as place,
        ifnull((select sum(ms) from pieces p
            where p.figure = bars.figure and p.part = bars.part and p.nth = bars.nth), 0) as stop
    from bars;
insert into settings select 'BASELINE_MS', max(base) from calls;
insert into settings select 'BASELINE_LABEL', 'seq: {' || max(base) || '} ms' from calls;

-- The label is the whole call. It stands at the end of the bar.
-- output: bars.tsv
with ends as (
    select *, max(ifnull(whole, 0), stop) as end,
        max(ifnull(base, 0), max(max(ifnull(whole, 0), stop)) over (partition by figure)) as right
    from placed, (select max(base) as base from calls))
select figure, place, name, iif(is_whole, null, ifnull(whole, 'NaN')) as whole, right,
    end as at,
    coalesce(variant, '{' || whole || '} ms' || ifnull(' (' || speedup || '×)', ''),
        'stages: {' || stop || '} ms') as label
from ends order by figure, place;

-- output: pieces.tsv
select 'pieces-' || figure as figure, place, stage, stages.name, colour,
    sum(ms) over (partition by figure, place order by stage) - ms as start,
    sum(ms) over (partition by figure, place order by stage) as stop
from pieces join placed using (figure, part, nth) join stages using (stage)
order by 1, stage, place;

-- output: pipeline.md
create table lines as
    select 0 as part, 0 as nth, 0 as second,
        printf('report 004''s program (%s)', machine) as variant, '' as step, null as context,
        null as allocation, null as upload, cast(kernel_ms as text) as kernels, null as download,
        cast(cuda_ms as text) as whole, cast(speedup_cuda as text) as speedup
    from report_calls
    union all
    select 1, nth, 1, variant, 'first call: ' || step, context_ms, allocation_ms, upload_ms,
        '{' || kernels_ms || '}', download_ms, '{' || cold_ms || '}', first_call
    from calls where staged and is_first
    union all
    select 1, nth, 2, variant, step, null, allocation_ms, upload_ms,
        '{' || kernels_ms || '}', download_ms, ifnull('{' || total_ms_mean || '}', ms_or_wrong),
        speedup
    from calls;
delete from lines where not exists (select * from calls where staged or whole_way);
select "case" || ', from host to host (ms)' as title, variant, step, context, allocation, upload,
    kernels, download, whole as "whole call", speedup as "speedup over seq"
from lines, largest order by part, nth, second;

-- All pictures: of each variant and step, the whole call. What is faster than seq is bold.
select 'All pictures, the whole call (ms); bold: faster than seq' as title, "case" as picture,
    min(times.nth) over (partition by variant, step) as nth_column,
    variant || ', ' || step as "column", iif(total_ms_mean < ms, '**{' || total_ms_mean || '}**',
        ifnull('{' || total_ms_mean || '}', ms_or_wrong)) as cell
from times join cases using ("case") left join baseline using ("case")
where exists (select * from lines) order by cases.nth, times.nth;
select iif((select sum(staged) from calls), 'Stages were waited for one after the other, the '
    || 'whole call was measured apart. With pinned buffers, upload and download include the CPU''s '
    || 'copies to and from them. ', '') || means || ' ' || facts
from notes where exists (select * from lines);
