-- Figures and table of the experiment `scaling`, which every lab has. The lab's scaling.sql
-- makes first
--
--     scaled      the rows of `measured`, with a column `work` that says what was computed

-- `n` threads against one, which ran undisturbed. Times that spread too much have no ratio. If other
-- work disturbed `n` threads, their speedup is at least this.
create table scaling_curves as
    select s.scaling, s.variant as title, look, s.threads as n, s.size, s.work,
        s.kernel_ms_mean as ms, one.kernel_ms_mean as one_ms, one.kernel_ms_mean / s.kernel_ms_mean
            as ratio,
        one.kernel_ms_mean / s.high as low, one.kernel_ms_mean / s.low as high,
        100 * s.gb_per_s / max(s.copy_gb_per_s) over (partition by s.scaling, s.threads, s.bytes)
            as percent_of_copy,
        s.copy_gb_per_s / one.copy_gb_per_s as copy_ratio,
        s.idle_percent, s.imbalance, s.serial_ms, s.quiet,
        s.threads * s.kernel_ms_mean * (1 - s.idle_percent / 100) / one.kernel_ms_mean as slower
    from scaled s join scaled one on one.variant = s.variant and one.scaling = s.scaling
            and one.threads = 1 and one.quiet
        join looks on looks.variant = s.variant
    where s.steady and s.kernel_ms_mean is not null;
insert into settings
    select 'WORK', work || ', ' || size from scaling_curves where scaling = 'strong';
insert into settings select 'MOST', max(n) from scaling_curves;

-- The copy moves as many bytes with as many threads; each variant has measured one.
create table scaling_lines as
    select 'scaling-' || scaling as figure, title, look, n as x,
        iif(scaling = 'strong', ratio, 100 * ratio) as value,
        iif(scaling = 'strong', low, 100 * low) as low,
        iif(scaling = 'strong', high, 100 * high) as high
    from scaling_curves
    union all select 'scaling-strong', 'copy', 43, n, avg(copy_ratio), avg(copy_ratio),
        avg(copy_ratio)
    from scaling_curves where scaling = 'strong' and copy_ratio is not null group by n
    union all select 'scaling-weak', 'copy', 43, n, avg(100 * copy_ratio / n),
        avg(100 * copy_ratio / n), avg(100 * copy_ratio / n)
    from scaling_curves where scaling = 'weak' and copy_ratio is not null group by n;
-- Lines need more than the two points of a machine with two cores.
-- output: lines.tsv
select scaling_lines.* from scaling_lines left join variants on variants.variant = title
    where (select max(n) from scaling_curves) > 2
    order by figure, title = 'copy', variants.nth, x;

-- Amdahl's law, 1 / speedup = s + (1 - s) / n, twice: with the serial part s that was measured, the
-- speedup that would be possible; and fitted to all numbers of threads by least squares, the serial
-- part that would explain the speedups.
create view scaling_amdahl as
    select title, 100 * min(1, max(0, sum((1 - 1.0 / n) * (1 / ratio - 1.0 / n))
        / sum((1 - 1.0 / n) * (1 - 1.0 / n)))) as serial
    from scaling_curves where scaling = 'strong' and n > 1 group by title;
create view scaling_most as select *, max(n) from scaling_curves group by scaling, title;
-- output: scaling.md
select printf('%s, %d threads against one', s.work, s.n) as title, s.title as variant,
    s.one_ms as "1 thread, ms", s.ms as "all, ms",
    iif(s.quiet, '', 'at least ') || '{' || s.ratio || '}' as speedup,
    100 * s.ratio / s.n as "efficiency, %", s.percent_of_copy as "% of copy",
    100 * s.serial_ms / s.one_ms as "measured serial part, %",
    1 / (s.serial_ms / s.one_ms + (1 - s.serial_ms / s.one_ms) / s.n)
        as "speedup by Amdahl with it",
    serial as "serial part that would explain the speedup, %", s.imbalance,
    s.idle_percent as "idle, %", s.slower as "CPU time, times that of one thread",
    100 * w.ratio as "weak scaling: efficiency, %",
    case when s.ratio >= 0.9 * s.n then '-'
        when s.serial_ms >= 0.5 * s.one_ms then 'one thread, which does the work'
        when s.percent_of_copy >= 70 then 'memory bandwidth'
        when s.slower * (1 - s.idle_percent / 100) >= 1 then 'slower computation'
        else 'waiting for the busiest thread' end as "bounded by"
    from scaling_most s left join scaling_amdahl using (title)
        left join scaling_most w on w.title = s.title and w.scaling = 'weak'
        join variants on variants.variant = s.title
    where s.scaling = 'strong' and s.n = (select max(n) from scaling_curves) order by variants.nth;
select 'The measured serial part is the CPU time by which the first thread exceeds the mean of'
        || ' the others, over the time of one thread. Imbalance is the CPU time of the busiest thread'
        || ' over the mean of all; idle is the share of the threads'' time without CPU time. A serial'
        || ' part that would explain the speedup and was not measured is shared memory bandwidth, a'
        || ' lower clock rate, or waiting: compare with the copy.'
        || ' The last column is for efficiencies below 90 %. Slower computation: the threads together'
        || ' take more CPU time than one thread for the same work, because cores share memory'
        || ' bandwidth, caches, execution units (hardware threads) and clock.'
        || iif((select min(quiet) from scaling_most), '', ' "At least": other work disturbed the'
            || ' repeats with all threads.')
        || char(10, 10) || means || ' ' || facts from notes where (select count(*) from scaling_curves);
