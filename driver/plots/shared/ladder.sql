-- Figures and table of the experiment `ladder`: one step for each rung. The lab's ladder.sql makes
-- first
--
--     climbed     the rows of `measured` to draw: each rung and each library once, at one size; a
--                 column `work` says what was computed

-- All steps of a processor have one denominator, the best rate of a copy of as many bytes that was
-- seen there: with all threads, also where the variant has one thread.
create table copies as
    select on_gpu, bytes, max(copy_gb_per_s) as best from climbed group by on_gpu, bytes;
create table steps as
    with shares as (
        select climbed.*, iif(quiet, 100e-6 * bytes / kernel_ms_mean / best, null) as share,
            range_of(100e-6 * bytes / high / best, 100e-6 * bytes / low / best) as range
        from climbed join copies using (on_gpu, bytes))
    select iif(on_gpu, 'gpu', 'cpu') as machine, backend, variant as name, look, idea, nth,
        work || ', ' || size as problem, kernel_ms_mean as ms, share as value,
        ifnull('{' || share || '}', range) as percent,
        max(iif(backend in ('peer', 'mpi'), null, share)) over (partition by on_gpu order by nth
            rows between unbounded preceding and 1 preceding) as best_before
    from shares join looks using (variant) left join listed using (variant);
-- No staircase where all rungs are too noisy for a ratio, as those of the CPU beside a GPU may be,
-- nor where `seq` is the only rung.
delete from steps where machine in (select machine from steps group by machine
    having count(iif(backend in ('peer', 'mpi'), null, value)) = 0
        or max(backend not in ('peer', 'mpi', 'seq')) = 0);
-- output: staircase.tsv
select 'staircase-' || machine as figure, *, percent || ' %' as label,
    row_number() over (partition by machine order by nth) as place,
    max(108, ifnull(1.1 * max(value) over (partition by machine), 0)) as end_of_axis
from steps where backend not in ('peer', 'mpi') order by machine, nth;
-- output: lines.tsv
select 'lines-' || machine as figure, name, max(value) as value
from (select machine, name, value from steps where backend = 'peer' and value is not null
    union all select distinct machine, 'copy', 100 from steps)
group by machine, name order by machine, value;

-- The result in a sentence, for the table below and for the site's index. Times that are too noisy
-- for a ratio are not in it.
create view results as
    with steady as (select * from steps where value is not null),
        fastest as (select *, min(ms) from steady where backend not in ('peer', 'mpi') group by machine),
        library as (select *, min(ms) from steady where backend = 'peer' group by machine),
        opening as (select *, min(nth) from steps where backend <> 'peer' group by machine)
    select machine, o.problem, printf('`%s` takes {%s} ms, {%s} %% of the rate of a copy.', f.name, f.ms,
            f.value)
        || iif(o.value is null or o.name = f.name, '',
            printf(' The first rung, `%s`, takes {%s} times as long.', o.name, o.ms / f.ms))
        || iif(l.name is null, '', printf(' The library call `%s`%s takes {%s} times as long.',
            l.name, iif(l.problem = f.problem, '', ' (' || l.problem || ')'), l.ms / f.ms))
        as result
    from fastest f join opening o using (machine) left join library l using (machine);

-- A step is the rate of a rung over the highest rate of the rungs before it.
-- output: staircase.md
select results.problem as title, result as about, name as variant, ms as "kernel ms", percent as "% of copy",
    iif(backend in ('peer', 'mpi'), null, value / best_before) as "times the best rung before"
from steps join results using (machine)
order by machine, nth;
-- The variant that is meant to be fastest, where three quarters of its times exceed three quarters
-- of those of a rung.
select printf('**Slower than a rung:** `%s` takes {%s} times as long as `%s`.', best.variant,
        best.kernel_ms_mean / rung.kernel_ms_mean, rung.variant) || char(10)
    from climbed best join climbed rung using (on_gpu, work, size)
    where best.variant in ('omp_best', 'cuda_best') and rung.backend in ('seq', 'omp', 'cuda')
        and best.low > rung.high and best.quiet and rung.quiet;
select means || ' ' || facts from notes where (select count(*) from steps);
-- output: results
select printf('**%s**: ', problem) || result || char(10) from results order by machine;
