-- The best number of threads over pixels: report 002's figure 10.

-- output: lines.tsv
select 'omp-threads' as figure, * from times;
-- output: speedups.tsv
select 'omp-threads-speedup' as figure, curve as title, look, width as x, speedups.value,
    speedups.low, speedups.high
from curves join shades using (curve) join speedups using (nth)
where speedups.value is not null order by shades.nth, width;

-- output: omp-threads.md
select printf('Numbers of threads over pixels, at %dx%d', side, side) as title,
    with_threads as variant, ms_or_wrong as "kernel ms", kernel as "speedup over seq_naive"
from curves left join speedups using (nth), last_side where width = side order by nth;
select printf('%s %s', means, facts) from notes;
