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

-- The row whose time a row's speedup is over: the first of its problem, if that is a sequential
-- one. A lab whose problems differ in more than size and parameters fills the table itself.
create table bases as
    select nth, max(iif(variant = first, nth, null))
        over (partition by size, work_of(ifnull(parameters, '')) order by nth) as base
    from measured, (select iif(backend = 'seq', variant, null) as first from data limit 1);
-- A speedup has a value, from the medians, and a range, from quartile to quartile of both times.
-- Tables and labels have one number where both times are quiet, otherwise the range.
create view speedup_ranges as
    select m.*, m.nth = base as is_base, b.kernel_ms_median / m.kernel_ms_median as value,
        b.low as base_low, b.high as base_high, b.low / m.high as kernel_low,
        b.high / m.low as kernel_high,
        b.low / m.total_ms_mean / (1 + ifnull(m.total_spread, ifnull(m.spread, 0)) / 2)
            as total_low,
        b.high / m.total_ms_mean / (1 - ifnull(m.total_spread, ifnull(m.spread, 0)) / 2)
            as total_high
    from measured m left join bases using (nth) left join measured b on b.nth = base
    where m.kernel_ms_mean is not null;
create view speedups as
    select nth, iif(is_base, 1, value) as value, iif(is_base, 1, kernel_low) as low,
        iif(is_base, 1, kernel_high) as high,
        iif(is_base, '1.00', coalesce('{' || speedup_kernel || '}',
            range_of(kernel_low, kernel_high))) as kernel,
        iif(is_base, '1.00', coalesce('{' || speedup_total || '}',
            range_of(total_low, total_high))) as total,
        range_of(base_low / cold_ms, base_high / cold_ms) as first_call
    from speedup_ranges;

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
