-- The emulation's counts beside those of Nsight Compute: see docs/counts.md. The lab's counts.sql
-- makes:
--
--     reasons    (variant, kernel, metric, reason): why they differ. The first three are patterns
--                of LIKE; of several reasons, the first one counts.
--
-- A difference of more than 2 % has to have a reason. Otherwise the table says "not explained".

create table quantities (id, pattern, title);
insert into quantities values
    (1, 'l1tex__t_sectors%_ld.sum', 'sectors loaded'),
    (2, 'l1tex__t_sectors%_st.sum', 'sectors stored'),
    (3, 'l1tex__t_sectors%_atom.sum', 'sectors of atomics'),
    (4, 'l1tex__data_bank_conflicts%', 'bank conflicts');
create table counts as
    select min(nth) over (partition by variant, kernel) as place, variant, kernel, metric, id,
        emulated, nsight_compute,
        ifnull(abs(emulated - nsight_compute) > 0.02 * nsight_compute, 1) as differs
    from measured join quantities on metric like pattern;

-- output: counts.md
with cells as (
    select place, variant, kernel, id as nth_column, title as "column",
        iif(max(differs), printf('%d / %d', sum(emulated), sum(nsight_compute)),
            printf('%d', sum(emulated))) as cell
    from counts join quantities using (id) group by place, id
    union all select place, variant, kernel, 5, 'reason of a difference',
        group_concat(distinct reason)
    from (select place, variant, kernel, ifnull((select reason from reasons r
                where counts.variant like r.variant and counts.kernel like r.kernel
                    and metric like r.metric order by r.rowid limit 1),
                '**not explained**') as reason
            from counts where differs order by place, id)
    group by place)
select '`' || variant || '`' as variant, '`' || kernel || '`' as kernel, nth_column, "column", cell
from cells order by place, nth_column;
select printf('%d of %d counts differ by more than 2 %%.', sum(differs), count(*)) from counts;
