-- The variants whose work grows with the pixels only, beside a copy of as many bytes.

-- 64-bit sums are twice the bytes to write, and so have figures and tables of their own.
create view sums as
    select *, iif(max_pixel * width * height <= 2147483647, 32, 64) as bits from measured;

insert into settings select 'SMALLEST', min(width) from measured;
insert into settings select 'LARGEST', side from last_side;

-- output: lines.tsv
select iif(bits = 32, 'large', 'large-64') as figure, variant as title, look, width as x,
    percent_of_copy as value, percent_of_copy * kernel_ms_mean / high as low,
    percent_of_copy * kernel_ms_mean / low as high
from sums join looks using (variant) join variants using (variant)
where percent_of_copy is not null order by variants.nth, width;
-- output: times.tsv
select 'large-time' as figure, variant as title, look, width as x, kernel_ms_mean as value, low,
    high
from sums join looks using (variant) join variants using (variant)
where bits = 32 and kernel_ms_mean is not null order by variants.nth, width;

-- output: results.md
with shown as (select * from sums, last_side where width = side),
    lines (bits, nth, line) as (
        select bits, 0, printf('**%dx%d, pixels up to %d: %d-bit sums**

| variant | kernel ms | total ms | cold ms | GB/s | %% of copy | speedup kernel | speedup total |
| :-- | --: | --: | --: | --: | --: | --: | --: |', side, side, max_pixel, bits)
            from shown group by bits
        union all select bits, nth, printf('| %s | %s | {%s} | {%s} | {%s} | {%s} | {%s} | {%s} |',
            variant, ms_or_wrong, total_ms_mean, cold_ms, gb_per_s, percent_of_copy,
            speedup_kernel, speedup_total) from shown
        union all select distinct bits, 1e9, '' from shown)
select line from lines order by bits, nth;
select printf('Speedups are over the first row. %s %s', means, facts) from notes;
