-- Figure and table of the experiment `contention`: every variant on pictures of one size whose
-- pixels have one level, two, some or all.

-- output: dots.tsv
select 'contention' as figure, name as title, look, x, "case" as category,
    kernel_ms_mean as value, low, high
from times join cases using ("case") join names using (variant) join looks using (variant)
    join variants using (variant)
where kernel_ms_mean is not null order by variants.nth, x;

insert into tables
    select 1, 'Time of the kernels at ' || size || ' by distribution of the levels',
        '| variant |', '| :-- |' from cases limit 1;
insert into left_aligned values ('slowest');
create view timed as
    select variants.nth as nth_row, '| ' || name || ' |' as row, cases.nth as nth_column, times.*
    from times join cases using ("case") join names using (variant) join variants using (variant);
insert into cells select 1, nth_row, row, nth_column, "case" || ', ms', ms_or_wrong from timed;
insert into cells
    select 1, nth_row, row, 1e6, 'slowest', iif(max(kernel_ms_mean) is null, '-', "case")
    from timed group by variant;
insert into cells
    select 1, nth_row, row, 2e6, 'slowest over fastest',
        '{' || (max(kernel_ms_mean) / min(kernel_ms_mean)) || '}'
    from timed group by variant;
-- output: contention.md
select line from markdown;
select means || ' ' || facts from notes;
