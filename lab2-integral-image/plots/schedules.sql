-- The loop of omp_outer with four schedules: speedup and load imbalance for each number of threads.

-- A schedule with equally many pixels for each thread, as omp_outer's, gives the last of n threads
-- 1 - ((n - 1) / n)^2 of the terms, so its speedup is at most n^2 / (2n - 1).
create table scheduled as
    select s.variant as title, look, s.threads as n, s.size, s.kernel_ms_mean as ms,
        one.kernel_ms_mean / s.kernel_ms_mean as ratio, one.kernel_ms_mean / s.high as low,
        one.kernel_ms_mean / s.low as high, s.imbalance, s.idle_percent, s.nth
    from measured s join measured one on one.variant = s.variant and one.threads = 1 and one.quiet
        join looks on looks.variant = s.variant
    where s.quiet and s.kernel_ms_mean is not null;
insert into settings select 'WORK', size from scheduled;
insert into settings select 'MOST', max(n) from scheduled;
-- output: lines.tsv
select 'schedules' as figure, title, look, n as x, ratio as value, low, high from scheduled
order by title, n;
select distinct 'schedules', 'most with equally many pixels', 43, n, 1.0 * n * n / (2 * n - 1),
    1.0 * n * n / (2 * n - 1), 1.0 * n * n / (2 * n - 1)
from scheduled order by n;

-- output: schedules.md
select printf('Sums by the definition at %s', size) as title, title as variant,
    cast(n as int) as threads, ms as "kernel ms", ratio as speedup, imbalance,
    idle_percent as "idle, %"
from scheduled order by n, nth;
select 'Imbalance is the CPU time of the busiest thread over the mean of all threads.'
        || char(10, 10) || means || ' ' || facts from notes where (select count(*) from scheduled);
