-- The quality of pictures that were made smaller by 2 and then upscaled: every sigma of the
-- Gaussian, and other methods, ours and a library's.

-- A series is a sigma of the Gaussian, or a method. The PSNR of pictures together is that of their
-- mean squared error; a picture that comes out as it was has no error, and an infinite PSNR: 1e9.
create table runs as
    select *, iif(backend <> 'peer', '', case variant when 'peer_opencv' then 'OpenCV, '
            when 'peer_npp' then 'NPP, ' else variant || ', ' end)
        || iif(sigma is null, method, printf('Gaussian, σ %g', sigma)) as series,
        iif(psnr_db > 1000, 0, 255 * 255 / power(10, psnr_db / 10)) as error
    from measured;
create table pictures as
    select picture, row_number() over (order by min(nth)) as i from runs group by picture;
create table of_pictures as
    select series, picture, iif(avg(error) > 0, 10 * log10(255 * 255 / avg(error)), 1e9) as db,
        avg(ssim) as ssim
    from runs group by series, picture;
create table all_series as
    select series, min(nth) as nth, sigma, method, backend = 'peer' as peer, avg(ssim) as mean_ssim,
        iif(avg(error) > 0, 10 * log10(255 * 255 / avg(error)), 1e9) as pooled_db,
        (select avg(db) from of_pictures p where p.series = runs.series) as mean_db
    from runs group by series;
-- The best sigma is that of the greatest pooled PSNR, or mean SSIM.
create table best as
    select 'psnr' as measure, * from (select series, sigma from all_series
        where sigma is not null order by pooled_db desc, nth limit 1)
    union all select 'ssim', * from (select series, sigma from all_series
        where sigma is not null order by mean_ssim desc, nth limit 1);
-- In tables and the figure of pictures: the best sigma and then the other methods.
create table shown as
    select *, sigma is null and not (peer or method in ('bicubic', 'auto', 'learned')) as only_in_table
    from all_series
    where sigma is null or series in (select series from best where measure = 'psnr');
insert into settings select 'PICTURES', printf('%d picture%s', count(*), iif(count(*) = 1, '', 's'))
    from pictures;

-- Quality against sigma: the sigmas as a curve, the libraries' methods, or ours if there are none,
-- as level lines that are named at their ends.
create view measures as
    select 'psnr' as measure, *, pooled_db as value, printf('%.2f dB', pooled_db) as label
    from all_series where pooled_db < 1000
    union all select 'ssim', *, mean_ssim, printf('%.4f', mean_ssim) from all_series;
create table levels as
    select *, row_number() over (partition by measure order by nth) as k from measures
    where sigma is null and (peer or not exists (select * from all_series where peer));
create table axes as
    select measure, min(value) - 2 * margin as bottom, max(value) + margin as top, middle
    from (select *, iif(max(value) over w > min(value) over w,
            0.08 * (max(value) over w - min(value) over w), 0.01 * max(value) over w) as margin,
            (min(sigma) over w + max(sigma) over w) / 2 as middle
        from measures where sigma is not null or (measure, series) in
            (select measure, series from levels) window w as (partition by measure))
    group by measure;
insert into ends select measure, k, (value - bottom) / (top - bottom), 0.058
    from levels join axes using (measure);

-- output: curves.tsv
select 'quality-' || measure as figure, sigma, value from measures where sigma is not null
order by measure, sigma;
-- output: levels.tsv
select 'levels-' || measure as figure, k + 1 as look, at, label_at, series || ' ' || label as label
from levels join label_places on figure = measure and label_places.nth = k order by measure, k;
-- output: axes.tsv
select 'axis-' || axes.measure as figure, bottom, top, m.sigma as best, m.value,
    printf('best: σ %g with %s', m.sigma, label) as label, m.sigma > middle as on_right
from axes join best using (measure) join measures m using (measure, series);

-- Every picture is a row, a method a kind of point with a height of its own in every row, so that
-- equal values do not hide each other. Infinite values stand where the next number of the axis but
-- one would.
create table points as
    select s.series, dense_rank() over (order by sigma is null, nth) as k, i, picture, db,
        db > 1000 as exact
    from shown s join of_pictures using (series) join pictures using (picture)
    where not only_in_table or not exists (select * from best);
create table picture_axis as
    with finite as (select min(db) as low, max(db) as high from points where not exact),
        stepped as (select *, case when high - low > 12 then 5. when high - low > 5 then 2. else 1.
            end as step, max(0.05 * (high - low), 0.5) as margin from finite)
    select *, step * floor(high / step) as last, step * floor(high / step) + 2 * step as exact_at,
        (select max(exact) from points) as any_exact from stepped;
insert into settings select 'STEP', step from picture_axis;
insert into settings select 'FIRST', step * ceil((low - margin) / step) from picture_axis;
insert into settings select 'LAST', iif(any_exact, last, high + margin) from picture_axis;
insert into settings select 'X_LOW', low - margin from picture_axis;
insert into settings select 'X_HIGH', iif(any_exact, exact_at, high) + margin from picture_axis;
insert into settings select 'EXACT_AT', iif(any_exact, exact_at, null) from picture_axis;
-- output: points.tsv
select 'quality-pictures' as figure, series as title, k, picture, iif(exact, exact_at, db) as db,
    i + 0.8 * ((k - 0.5) / (select max(k) from points) - 0.5) as place
from points, picture_axis where high is not null order by k, i;

-- A row for each method; of the Gaussian, for the best sigma. The best of a column, as printed, is
-- bold.
create view numbers as
    select series, i, picture || ', PSNR / SSIM' as column, db, of_pictures.ssim
        from shown join of_pictures using (series) join pictures using (picture)
    union all select series, 1001, 'pooled PSNR', pooled_db, null from shown
    union all select series, 1002, 'mean PSNR', mean_db, null from shown
    union all select series, 1003, 'mean SSIM', null, mean_ssim from shown;
create view texts as
    select series, i, column, iif(db > 1000, '∞', printf('%.2f', db)) as db,
        iif(max(db) over w > 1000, '∞', printf('%.2f', max(db) over w)) as best_db,
        printf('%.4f', ssim) as ssim, printf('%.4f', max(ssim) over w) as best_ssim,
        db is not null as has_db, ssim is not null as has_ssim
    from numbers window w as (partition by i);
-- output: quality.md
select printf('PSNR (dB) and SSIM of %s made smaller by 2 and upscaled', value) as title,
    series as method, i as nth_column, "column",
    iif(has_db, iif(db = best_db, '**' || db || '**', db), '') || iif(has_db and has_ssim, ' / ', '')
        || iif(has_ssim, iif(texts.ssim = best_ssim, '**' || texts.ssim || '**', texts.ssim), '')
        as cell
from texts join shown using (series), settings where name = 'PICTURES'
order by iif(sigma is null, nth, 0), i;
select printf('Of %d sigmas from %g to %g, %g is best by pooled PSNR and %g by mean SSIM.',
        count(*), (select sigma from all_series where sigma is not null order by nth limit 1),
        (select sigma from all_series where sigma is not null order by nth desc limit 1),
        (select sigma from best where measure = 'psnr'),
        (select sigma from best where measure = 'ssim'))
    from all_series where sigma is not null having count(*) > 0;
-- The choices of `auto`.
with chosen as (select nth, picture,
        substr(parameters, instr(parameters, 'chosen=') + 7) || ';' as rest
        from runs where instr(parameters, 'chosen=')),
    choices as (select *, substr(rest, 1, instr(rest, ';') - 1) as choice from chosen order by nth)
select printf('`auto` chose %s for %s.', choice, group_concat(picture, ', ')) from choices
group by choice order by min(nth);
select 'The pooled PSNR is that of the mean squared error of all pictures. ' || facts from notes;
