-- The kernels with square blocks: report 002's figures 6 to 8, and what the L1 cache is worth.

-- The same kernels without the L1 cache are variants of their own in some builds.
create view with_l1 as select * from times where variant not like '%\_l1\_off' escape '\';
-- output: lines.tsv
select 'block-sizes' as figure, * from with_l1;
-- output: kernels.tsv
select 'block-sizes-' || replace(variant, 'cuda_', '') as figure, * from with_l1;

-- With and without the L1 cache: blocks of the middle size.
create view middle as
    with blocks as (select distinct block, block_width * block_height as threads from curves
        order by threads)
    select block from blocks limit 1 offset (select (count(*) - 1) / 2 from blocks);
insert into settings select 'BLOCK', block from middle;
-- output: l1.tsv
select 'l1-cache' as figure, variant as title, looks.look, x, value, low, high
from times join middle using (block) join looks using (variant)
where replace(variant, '_l1_off', '') in (
    select replace(variant, '_l1_off', '') from variants
    where variant like '%\_l1\_off' escape '\');

-- output: block-sizes.md
select printf('Time of the kernels at %dx%d with each block', side, side) as title, variant,
    (select min(nth) from curves b where b.block = curves.block) as nth_column,
    block || ', ms' as "column", ms_or_wrong as cell
from curves join variants using (variant), last_side where width = side
order by variants.nth, curves.nth;
select printf('%s %s', means, facts) from notes;
