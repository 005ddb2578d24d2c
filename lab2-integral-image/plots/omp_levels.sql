-- OpenMP over pixels, inside each pixel's sum, or both: report 002's figure 9.

.output lines.tsv
select 'omp-levels' as figure, * from times;

-- The table is of the last_side side that all curves have: nested regions end early.
create view shared as
    select max(width) as side from (select width from curves where kernel_ms_mean is not null
        group by width
        having count(distinct with_threads) = (select count(distinct with_threads) from curves));
.output omp-levels.md
.headers off
select printf('**Threads over pixels, inside each sum, or both, at %dx%d**

| variant | kernel ms | speedup over seq_naive |
| :-- | --: | --: |', side, side) from shared;
select printf('| %s | %s | {%s} |', with_threads, ms_or_wrong, speedup_kernel)
    from curves, shared where width = side order by nth;
select printf('
Of two numbers of threads, the first divide the pixels among them, and each of these has the second'
    || ' number for its sums. %s %s', means, facts) from notes;
