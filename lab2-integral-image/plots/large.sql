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
select printf('%dx%d, pixels up to %d: %d-bit sums', side, side, max_pixel, bits) as title, variant,
    ms_or_wrong as "kernel ms", total_ms_mean as "total ms", cold_ms as "cold ms",
    gb_per_s as "GB/s", percent_of_copy as "% of copy", kernel as "speedup kernel",
    total as "speedup total"
from sums left join speedups using (nth), last_side where width = side order by bits, nth;
select printf('Speedups are over the first row. %s %s', means, facts) from notes;
