-- Tables and views for the queries of this lab, after driver/plots/prelude.sql.

-- A variant on the CPU stands together with its threads, which are what sets its curves apart; the
-- inner threads are those of each sum. Kernels stand together with their blocks.
create table curves as
    with named as (select *,
        variant || iif(backend <> 'omp', '', printf(', %d%s thread%s', threads,
            iif(threads_inner, printf(' × %d', threads_inner), ''),
            iif(ifnull(threads_inner, threads) = 1, '', 's'))) as with_threads,
        iif(block_width, printf('%dx%d', block_width, block_height), null) as block
        from measured)
    select *, with_threads || ifnull(', ' || block, '') as curve from named;

create view last_side as select max(width) as side from measured;

-- A variant that has several curves has its look in as many shades: see driver/plots/shades.gp.
create view shades as
    with each as (select curve, variant, min(nth) as nth from curves group by curve),
        counted as (select *, row_number() over (partition by variant order by nth) as i,
            count(*) over (partition by variant) as n from each)
    select curve, counted.nth, iif(n = 1, look, look + 100 * (1 + round(4. * (i - 1) / (n - 1))))
        as look
    from counted join looks using (variant);

-- Time against the side of the image, for lines.gp.
create view times as
    select curve as title, shades.look, width as x, kernel_ms_mean as value, low, high, variant,
        block
    from curves join shades using (curve) where kernel_ms_mean is not null
    order by shades.nth, width;
