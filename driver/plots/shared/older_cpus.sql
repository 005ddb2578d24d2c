-- Table of the experiment `older_cpus`, which every lab has. The lab's older_cpus.sql makes `limits`
-- as its limit.sql does: `measured` with a column `work`.

create view restricted as
    select *, instruction_set as name, 2 * min(nth) over (partition by instruction_set) as place,
        min(nth) over (partition by work) as nth_row from limits;
-- output: older_cpus.md
with cells as (
    select nth_row, work, place as nth_column, name || ', ms' as "column", ms_or_wrong as cell
    from restricted
    union all select nth_row, work, place + 1, '% of copy', '{' || percent_of_copy || '}'
    from restricted)
select '`omp_best` at ' || size as title, cells.* from cells, (select size from measured limit 1)
order by nth_row, nth_column;
select means || ' ' || facts from notes;
