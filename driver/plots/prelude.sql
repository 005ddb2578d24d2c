-- Tables and views for the queries of all experiments. figures.py has loaded `data` and `listed`.

-- Settings for gnuplot: `insert into settings values ('SIZE', '960x540')` defines SIZE there.
create table settings (name, value);
create view gnuplot_settings as
    select name || ' = ' || case typeof(value)
        when 'text' then '''' || replace(value, '''', '''''') || ''''
        else ifnull(value, 'NaN') end
    from settings;

-- The rows of `data` with what most figures want: `nth` is the order of the file; low and high are
-- the quartiles of the time. Only variants on the CPU have `threads` among their parameters. `quiet`
-- is the harness's rule: of other times no ratio is computed. `steady` is its half about spread: with a thread on every core,
-- other work always runs on one of them, and disturbs every repeat.
create table measured as
    select rowid as nth, *, printf('%dx%d', width, height) as size, width * height as pixels,
        kernel_ms_q1 as low, kernel_ms_q3 as high,
        parameters not like '%threads=%' as on_gpu,
        noise is null as quiet,
        noise_by(ifnull(spread, 0), 0) = '' as steady,
        ifnull('{' || kernel_ms_mean || '}', 'wrong result: not timed') as ms_or_wrong
    from data;

-- Variants in the order of the data, which is that of most tables.
create table variants as
    select variant, min(nth) as nth from measured group by variant order by nth;

-- The look of a variant is a number: its colour, point and dash in style.gp. It is the same in all
-- labs for the references, then follows the lab's files, then the data. There are 28; of two variants
-- in the data with one look, the later gets one that no other one there has.
create table usual_looks as
    with reference (variant, nth) as (values ('seq', 1), ('omp_rows', 2), ('omp_best', 3),
            ('cuda_best', 4), ('peer_opencv', 5), ('peer_npp', 6), ('peer_cub', 7)),
        named as (select variant, nth from reference
            union all select variant, 100 + rowid from listed
            union all select variant, 1000 + nth from variants)
    select variant, 1 + (row_number() over (order by min(nth)) - 1) % 28 as look, min(nth) as nth
    from named group by variant;
create table looks as
    with recursive numbers (look) as (select 1 union all select look + 1 from numbers where look < 28),
        free as (select look, row_number() over (order by look) as place from numbers
            where look not in (select look from usual_looks join variants using (variant))),
        shared as (select variant, usual_looks.nth, row_number() over (partition by look
            order by usual_looks.nth) as place from usual_looks join variants using (variant)),
        later as (select variant, row_number() over (order by nth) as place from shared
            where place > 1)
    select variant, ifnull(free.look, usual_looks.look) as look
    from usual_looks left join later using (variant) left join free using (place);

-- Notes under a table. Rows of a file may be of several commits and days.
create table notes as
    select 'Times are means of the repeats without the least and the greatest.' as means,
        printf('Measured on CPU: %s; GPU: %s; compiler: %s; commit: %s; date: %s.', cpu, gpu,
            compiler, (select group_concat("commit", ', ')
                from (select distinct "commit" from data order by timestamp)),
            (select group_concat(day, ', ')
                from (select distinct substr(timestamp, 1, 10) as day from data order by day))) ||
        (select iif(count(*), printf(' Other work disturbed some repeats of %d of the %d rows'
            || ' of data.', count(*), (select count(*) from data)), '')
            from data where disturbed > 0) as facts
    from data limit 1;

insert into settings
    select 'MACHINE', replace(replace(iif(gpu = 'none', cpu || ', no GPU', gpu || ', ' || cpu),
        '(R)', ''), '(TM)', '') from data limit 1;
insert into settings values ('SPREAD', 'quartiles');

-- Markdown tables whose columns follow the data: fill `cells`, print `select line from markdown`.
-- Tables of one file are told apart by `part`. `head` and `rule` are those of the left columns, as
-- '| variant |' and '| :-- |'. A cell that is missing is a dash.
create table tables (part, title, head, rule);
create table left_aligned (column);  -- names of columns with words
create table cells (part, nth_row, row, nth_column, column, cell);
create view markdown as
    with columns as (select distinct part, nth_column, column from cells),
        lines as (select distinct part, nth_row, row from cells)
    select part, -3 as nth_row, '**' || title || '**' as line from tables where title is not null
    union all select part, -2, '' from tables where title is not null
    union all select part, -1, head || (select group_concat(' ' || column || ' |', '') from
        (select * from columns c where c.part = tables.part order by nth_column)) from tables
    union all select part, 0, rule || (select group_concat(iif(column in left_aligned, ' :-- |',
        ' --: |'), '') from (select * from columns c where c.part = tables.part
        order by nth_column)) from tables
    union all select part, nth_row, row || (select group_concat(' ' || ifnull((select cell
            from cells where cells.part = lines.part and cells.nth_row = lines.nth_row
                and cells.nth_column = c.nth_column), '-') || ' |', '')
        from (select * from columns where part = lines.part order by nth_column) c) from lines
    union all select part, 1e9, '' from tables
    order by 1, 2;
