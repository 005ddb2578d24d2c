-- OpenMP over pixels, inside each pixel's sum, or both: report 002's figure 9.

-- output: lines.tsv
select 'omp-levels' as figure, * from times;

-- The table is of the largest side that all curves have, if there is one: nested regions end early.
create view shared as
    with complete as (select width from curves where kernel_ms_mean is not null group by width
        having count(distinct curve) = (select count(distinct curve) from curves))
    select ifnull(max(width), (select side from last_side)) as side from complete;
-- output: omp-levels.md
select printf('Threads over pixels, inside each sum, or both, at %dx%d', side, side) as title,
    with_threads as variant, ms_or_wrong as "kernel ms", kernel as "speedup over seq_naive"
from curves left join speedups using (nth), shared where width = side order by nth;
select printf('Of two numbers of threads, the first divide the pixels among them, and each of these has'
    || ' the second number for its sums. %s %s', means, facts) from notes;
