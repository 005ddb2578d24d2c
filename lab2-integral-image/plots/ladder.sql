-- The staircase of shared/ladder.sql, with 32-bit sums: those that the libraries compute too.
create view climbed as
    select *, '32-bit sums' as work from measured where max_pixel * width * height <= 2147483647
        and pixels = (select max(pixels) from measured);
