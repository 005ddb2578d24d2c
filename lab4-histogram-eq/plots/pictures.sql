-- The layout for pictures.gp: for each picture before and after, its place on the sheet in pixels
-- from the bottom left, and its histogram. For histograms.gp, the levels of the first. pictures.py has
-- made the tables `pictures` and `counts`.

-- Pixels: four pictures to a row, the longer side of a cell, the height of a histogram, the gap
-- between it and its picture, the gap below and beside, and the line of the title.
create table layout as
    select 4 as columns, 256 as cell, 64 as hist, 6 as apart, 12 as gap, 28 as title;

create table levels as
    with recursive level (level) as
        (values (0) union all select level + 1 from level where level < 255)
    select png, level, ifnull(n, 0) as n,
        total(n) over (partition by png order by level) as below,
        max(n) over (partition by png) as most, sum(n) over (partition by png) as sum
    from pictures join level left join counts using (png, level);

create table placed as
    with numbered as (select *, pictures.rowid as i, (pictures.rowid - 1) / columns as row,
            (height + step - 1) / step as shown from pictures, layout),
        sized as (select row, max(shown) as highest,
            max(title + apart + hist + gap + shown) as row_height from numbered group by row),
        tops as (select row, highest, sum(row_height) over (order by row desc) as top from sized)
    select *, gap + (i - 1) % columns * (cell + gap) as left,
        top - title as picture_top, top - title - highest - apart - hist as bottom
    from numbered join tops using (row);

-- output: settings.gp
select 'SHEET_WIDTH = ' || (columns * (cell + gap) + gap) || char(10) || 'CELL = ' || cell
    || char(10) || 'HIST = ' || hist from layout;
select 'SHEET_HEIGHT = ' || max(top) from
    (select max(picture_top) + 28 as top from placed);

-- output: sheet.tsv
select png, left, picture_top as top, bottom, step, shown as height,
    iif(moment = 'before', printf('%s %dx%d (%s)', label, width, height, scene), 'equalized')
        as title
from placed order by i;
-- output: bars.tsv
select left + (level + 0.5) * cell / 256 as x, bottom as floor,
    bottom + 1.0 * hist * n / most as top, bottom + 1.0 * hist * below / sum as cdf, png
from levels join placed using (png) order by i, level;

-- output: histograms.tsv
select moment as side, level, 100.0 * n / sum as pixels, 100.0 * below / sum as cdf
from levels join placed using (png) where i <= 2 order by i, level;
