-- Figure and table of the experiment `widths`, which every lab has: pixels per second of omp_best.
-- The neighbours of a width are the three widths on each side.

create table rates as
    select variant, look, width as x, 1e-6 * pixels / kernel_ms_median as value,
        1e-6 * pixels / high as low, 1e-6 * pixels / low as high
    from measured join looks using (variant) where kernel_ms_median is not null and quiet;
create table neighbours as
    select *, avg(value) over (order by x rows between 3 preceding and 3 following
        exclude current row) as around from rates;
insert into settings select 'HEIGHT_OF_ALL', printf('%d', height) from measured limit 1;
-- output: lines.tsv
select 'widths' as figure, variant as title, look, x, value, low, high from rates
    where (select count(*) from rates) > 20 order by x;
-- output: widths.md
select printf('%d widths, of which %d are steady enough for a ratio; %d are more than 10 %% slower per'
        || ' pixel than the mean of their neighbours.', (select count(*) from measured), count(*),
        sum(value < 0.9 * around))
    || iif(sum(value < 0.9 * around), char(10, 10)
        || '| width | pixels per ns | neighbours | ratio |' || char(10)
        || '| --: | --: | --: | --: |', '')
    from neighbours having count(*) > 20;
select printf('| %d | {%s} | {%s} | {%s} |', x, value, around, value / around) from neighbours
    where value < 0.9 * around and (select count(*) from neighbours) > 20 order by x;
select char(10) || replace(means, 'means of the repeats without the least and the greatest',
        'medians of the repeats') || ' ' || facts
    from notes where (select count(*) from neighbours) > 20;
