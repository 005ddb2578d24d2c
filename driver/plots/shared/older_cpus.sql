-- Table of the experiment `older_cpus`, which every lab has. The lab's older_cpus.sql makes `limits`
-- as its limit.sql does: `measured` with a column `work`.

insert into tables select 1, '`omp_best` at ' || size, '| work |', '| :-- |' from measured limit 1;
create view restricted as
    select *, instruction_set as name, 2 * min(nth) over (partition by instruction_set) as place,
        min(nth) over (partition by work) as nth_row from limits;
insert into cells
    select 1, nth_row, printf('| %s |', work), place, name || ', ms', ms_or_wrong from restricted
    union all select 1, nth_row, printf('| %s |', work), place + 1, '% of copy',
        '{' || percent_of_copy || '}' from restricted;
-- output: older_cpus.md
select line from markdown;
select means || ' ' || facts from notes;
