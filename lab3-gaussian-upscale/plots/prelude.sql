-- What the queries of this lab begin from, after harness/plots/prelude.sql. Report 003 is the
-- student report that this lab grew out of; report_*.csv hold its numbers as it prints them.

-- NPP's cubic method has other weights, so it is a method of its own; it stands in the figures of
-- the others', as no more than the weights differ.
update measured set method = 'bicubic' where method = 'lagrange';

-- What titles call a method, and the end of its figures' names: those of the Gaussian, which this
-- lab is about, have none.
create table methods as
    select method, min(nth) as nth, iif(method = 'gauss', '', '-' || method) as ending,
        iif(method = 'gauss', 'Gaussian', method) || ifnull((select printf(' (radius %g, σ %g)',
            radius, sigma) from measured first where first.method = measured.method
            and sigma is not null limit 1), '') as told
    from measured group by method;
