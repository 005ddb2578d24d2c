-- The four extreme ways to divide an image into blocks, beside report 002's tables 2 to 4.

-- The report's times, a row for each variant that it timed.
create view report (width, "case", variant, ms) as
    select side, "case", 'cuda_global', cuda_global_ms from report_block_limits
    union all select side, "case", 'cuda_shared', cuda_shared_ms from report_block_limits;
create view cases as
    select width, "case", min(nth) as nth, printf('%dx%d', grid_width, grid_height) as grid, block
    from curves group by width, "case";

-- A figure for each side: the rows of a case stand together below its name. Of every variant in the
-- data there is a row, and of those that the report timed one above, with its time.
create view shown (width, "case", part, name, look, value, low, high, label) as
    select width, "case", 0, ' ', 41, null, null, null,
        printf('%s: a grid of %s blocks of %s threads', "case", grid, block) from cases
    union all select width, "case", nth, 'report 002: ' || variant, 41, ms, ms, ms,
        printf('{%s} ms', ms) from report join variants using (variant)
    union all select width, "case", v.nth + 0.5, variant, look, kernel_ms_mean, m.low, m.high,
        iif(kernel_ms_mean is null, ms_or_wrong, ms_or_wrong || ' ms')
        from measured m join variants v using (variant) join looks using (variant);
-- output: rows.tsv
select printf('block-limits-%d', width) as figure, name, look, value, low, high, label,
    row_number() over w + 0.4 * (dense_rank() over (partition by width order by nth) - 1) as place
from shown join cases using (width, "case")
window w as (partition by width order by nth, part)
order by width, nth, part;

-- output: block-limits.md
with cells as (
    select width, cases.nth, "case", grid, cases.block, variants.nth - 1000 as place,
        printf('report 002''s %s, RTX 3070 Ti, ms', variant) as "column", cast(ms as text) as cell
    from report join cases using (width, "case") join variants using (variant)
    union all select width, cases.nth, "case", grid, cases.block, variants.nth,
        variant || ', ms', ms_or_wrong
    from curves join cases using (width, "case") join variants using (variant))
select printf('%dx%d', width, width) as title, "case", grid, block, place as nth_column, "column",
    cell
from cells order by width, nth, place;
select printf('%s %s', means, facts) from notes;
