-- The best number of threads over pixels: report 002's figure 10.

-- output: lines.tsv
select 'omp-threads' as figure, * from times;
-- output: speedups.tsv
select 'omp-threads-speedup' as figure, curve as title, look, width as x, speedup_kernel as value,
    speedup_kernel as low, speedup_kernel as high
from curves join shades using (curve)
-- A curve has three points: with fewer times that are steady, beside a steady seq_naive, it says little.
where speedup_kernel is not null and curve in (select curve from curves
    where speedup_kernel is not null group by curve having count(*) >= 3)
order by shades.nth, width;

-- output: omp-threads.md
select printf('**Numbers of threads over pixels, at %dx%d**

| variant | kernel ms | speedup over seq_naive |
| :-- | --: | --: |', side, side) from last_side;
select printf('| %s | %s | {%s} |', with_threads, ms_or_wrong, speedup_kernel)
    from curves, last_side where width = side order by nth;
select printf('
%s %s', means, facts) from notes;
