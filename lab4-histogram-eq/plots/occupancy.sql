-- Figures and tables of the experiment `occupancy`: registers, shared memory and theoretical
-- occupancy of every kernel by block size, beside report 004's section 4.3. The cases are the
-- blocks that were asked for; some kernels have blocks of their own choice. A row is a kernel's.

create table blocks as select "case" as block, x from cases;
create table block_times as
    select variant, "case" as block, kernel_ms_mean, low, high, ms_or_wrong, min(nth)
    from times group by variant, "case";
create table kernels as
    select variant, kernel, registers, min(nth) as nth, min(shared_bytes) as least,
        max(shared_bytes) as most
    from times where kernel is not null and registers is not null group by variant, kernel;

-- output: dots.tsv
select 'occupancy-time' as figure, variant as title, look, x, block as category,
    kernel_ms_mean as value, low, high
from block_times join blocks using (block) join looks using (variant) join variants using (variant)
where kernel_ms_mean is not null order by variants.nth, x;

-- output: occupancy.md
create table reported as
    select r.rowid as nth, r.*, t.registers as our_registers, t.shared_bytes as our_shared,
        blocks_per_multiprocessor as blocks, t.occupancy_percent as our_percent
    from report_occupancy r left join (select * from times join report using (variant)) t
        on t.kernel = r.kernel and t."case" = r.block
    where exists (select * from times join report using (variant));
select printf('Report 004''s section 4.3 (%s) and %s', machine, variant) as title, kernel, block,
    cast(registers as int) as "report 004's registers",
    cast(our_registers as int) as registers, cast(shared_bytes as int) as "its shared bytes",
    cast(our_shared as int) as "shared bytes", cast(blocks as int) as "blocks per multiprocessor",
    printf('%.3g%%', occupancy_percent) as "its occupancy",
    iif(our_percent is null, null, printf('%.3g%%', our_percent)) as occupancy
from reported, report order by nth;

with cells as (
    select variants.nth + kernels.nth / 1e6 as nth, variant, kernel,
        cast(kernels.registers as int) as registers,
        printf(iif(least = most, '%d', '%d to %d'), least, most) as shared_bytes, x, block,
        printf('%.3g%% (%d)', occupancy_percent, blocks_per_multiprocessor) as cell
    from kernels join variants using (variant) join times using (variant, kernel)
        join blocks on block = "case"
    union all select variants.nth + 0.9, variant, 'time', '', '', x, block,
        ifnull('{' || kernel_ms_mean || '} ms', ms_or_wrong)
    from block_times join blocks using (block) join variants using (variant))
select 'Theoretical occupancy of all kernels (and blocks per multiprocessor) by block, and the time'
        || ' of the variant at ' || size as title,
    variant, kernel, registers, shared_bytes as "shared bytes", x as nth_column, block as "column",
    cell
from cells, (select size from cases limit 1) order by nth, x;
select means || ' ' || facts from notes;
