-- Figure and table of the experiment `constant_memory`, which labs 1 and 3 have: one kernel that
-- finds the same numbers in three places. The lab's constant_memory.sql makes first
--
--     counted     `measured` with a column `count`: how many numbers, or the side of their mask
--     heads       (head): the name of that column in the table
--     kernels     (kernel, variant): kernels 1 to 3 have the numbers in the places below

create table places as
    select variant, kernel, place
    from kernels join (select column1 as kernel, column2 as place from
        (values (1, 'kernel parameter'), (2, '__constant__ symbol'), (3, 'global memory')))
        using (kernel);
create table compared as
    select our.count, our.variant, kernel, place, our.kernel_ms_mean as ms,
        first.kernel_ms_mean as base, our.low, our.high
    from counted our join places using (variant)
        left join (select count, variant, kernel_ms_mean from counted) first
            on first.count = our.count
            and first.variant = (select variant from places where kernel = 1);
insert into settings select 'SIZE', size from measured limit 1;

-- output: lines.tsv
select 'constant-memory' as figure, variant || ' (' || place || ')' as title, look, count as x,
    ms / base as value, min(low, ms) / base as low, max(high, ms) / base as high
from compared join looks using (variant)
where ms / base is not null
order by kernel, count;

-- output: constant-memory.md
with cells as (
    select count as nth_row, 0 as nth_column, head as "column", printf('%g', count) as cell
    from compared, heads
    union all select count, kernel, variant || ': ' || place || ', ms',
        ifnull('{' || ms || '}', 'wrong result: not timed') from compared
    union all select count, 10 + kernel, iif(kernel = 2, 'symbol', 'global') || ' / parameter',
        '{' || (ms / base) || '}' from compared where kernel > 1)
select * from cells order by nth_row, nth_column;
select means || ' ' || facts from notes;
