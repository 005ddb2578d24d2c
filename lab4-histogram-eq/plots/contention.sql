-- Figure and table of the experiment `contention`: every variant on pictures of one size whose
-- pixels have one level, two, some or all.

-- output: dots.tsv
select 'contention' as figure, name as title, look, x, "case" as category,
    kernel_ms_mean as value, low, high
from times join cases using ("case") join names using (variant) join looks using (variant)
    join variants using (variant)
where kernel_ms_mean is not null order by variants.nth, x;

-- output: contention.md
create view timed as
    select variants.nth as nth_row, name, cases.nth as place, times.*
    from times join cases using ("case") join names using (variant) join variants using (variant);
with cells as (
    select nth_row, name, place, "case" || ', ms' as "column", ms_or_wrong as cell from timed
    union all select nth_row, name, 1e6, 'slowest', iif(max(kernel_ms_mean) is null, null, "case")
    from timed group by variant
    union all select nth_row, name, 2e6, 'slowest over fastest',
        '{' || (max(kernel_ms_mean) / min(kernel_ms_mean)) || '}' from timed group by variant)
select 'Time of the kernels at ' || size || ' by distribution of the levels' as title,
    name as variant, place as nth_column, "column", cell
from cells, (select size from cases limit 1) order by nth_row, place;
select means || ' ' || facts from notes;
