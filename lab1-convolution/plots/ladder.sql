-- The staircase of shared/ladder.sql, with the smaller one of the two masks. The variants that only
-- `constant_memory` measures are not in it.
create view climbed as
    select *, filter as work from measured where filter = 'gauss3'
        and pixels = (select max(pixels) from measured);
