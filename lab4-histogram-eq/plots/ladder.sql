-- The staircase of shared/ladder.sql, at the largest size.
create view climbed as
    select * from measured where pixels = (select max(pixels) from measured);
