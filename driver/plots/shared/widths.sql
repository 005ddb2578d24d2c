-- Figure and table of the experiment `widths`, which every lab has: pixels per second of omp_best.
-- The neighbours of a width are the three widths on each side, measured in the same pass. A width is
-- slow if it is slower than its neighbours in every pass: what differs between passes is where the
-- pages of the images lie, and other work on the machine.

create table rates as
    select variant, look, width as x,
        row_number() over (partition by width order by timestamp) as pass,
        1e-6 * pixels / kernel_ms_median as value, 1e-6 * pixels / high as low,
        1e-6 * pixels / low as high, quiet
    from measured join looks using (variant);
create table neighbours as
    select *, value / avg(value) over (partition by pass order by x rows between 3 preceding and
        3 following exclude current row) as ratio
    from rates where value is not null and quiet;
create table widths as
    select variant, look, x, count(*) as passes, max(ratio) as best, min(ratio) as worst,
        max(value) as value, min(low) as low, max(high) as high from neighbours group by x;
create view slow as select * from widths where best < 0.9;
create view enough as select 1 from (select count(*) as n from widths) where n > 20;
insert into settings select 'HEIGHT_OF_ALL', printf('%d', height) from measured limit 1;
-- output: lines.tsv
select 'widths' as figure, variant as title, look, x, value, low, high from widths
    where exists (select * from enough) order by x;
-- output: widths.md
select printf('%d widths, of which %d are steady enough for a ratio.', (select count(distinct x)
        from rates), count(*)) || iif(max(passes) > 1, printf(' Each was measured %d times, with'
        || ' images of its own. %d are more than 10 %% slower per pixel than the mean of their'
        || ' neighbours every time, %d in one pass but not in all.', max(passes),
        (select count(*) from slow), sum(worst < 0.9 and best >= 0.9)),
        printf(' %d are more than 10 %% slower per pixel than the mean of their neighbours.',
        (select count(*) from slow)))
    from widths having count(*) > 20;
select char(10) || '| width | pixels per ns | ratio to the neighbours | in the worst pass |' || char(10)
        || '| --: | --: | --: | --: |' from slow where exists (select * from enough) limit 1;
select printf('| %d | {%s} | {%s} | {%s} |', x, value, best, worst) from slow
    where exists (select * from enough) order by x;
select char(10) || replace(means, 'means of the repeats without the least and the greatest',
        'medians of the repeats') || ' ' || facts
    from notes where exists (select * from enough);
