-- Report 002's sequential loop and its best parallel ones (its figure 11), beside scans, whose work
-- grows with the pixels only, and libraries.

-- The figure leaves out the rungs between, which the table has.
-- output: lines.tsv
select 'comparison' as figure, * from times where variant not in ('omp_two_passes', 'omp_strips',
    'omp_simd', 'cuda_lines', 'cuda_items', 'cuda_warp_rows');

-- output: comparison.md
-- All rows have the same pixels, so that the last pixel, the first parameter, tells nothing.
select printf('All variants at %dx%d', side, side) as title, variant,
    iif(instr(parameters, ';'), replace(substr(parameters, instr(parameters, ';') + 1), ';', ', '),
        null) as parameters,
    ms_or_wrong as "kernel ms", total_ms_mean as "total ms", kernel as "speedup kernel",
    total as "speedup total"
from measured left join speedups using (nth), last_side where width = side order by nth;
select printf('Speedups are over the first row. %s %s', means, facts) from notes;
