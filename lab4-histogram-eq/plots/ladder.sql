-- The staircase of shared/ladder.sql, at the largest size.
create view climbed as
    select *, iif(parameters like '%color=gray%', 'gray', 'color') as work from measured
    where pixels = (select max(pixels) from measured);
