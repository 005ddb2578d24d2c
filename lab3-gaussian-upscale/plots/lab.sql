-- Tables for the queries of this lab, after driver/plots/prelude.sql. Report 003 is the
-- student report that this lab grew out of; report_*.csv hold its numbers as it prints them.

-- NPP's cubic method has other weights, so it is a method of its own; it stands in the figures of
-- the others', as no more than the weights differ.
update measured set method = 'bicubic' where method = 'lagrange';

-- The name of a method in titles, and the end of its figures' names. Those of the Gaussian, which
-- this lab is about, have none.
create table methods as
    select method, min(nth) as nth, iif(method = 'gauss', '', '-' || method) as ending,
        iif(method = 'gauss', 'Gaussian', method) || ifnull((select printf(' (radius %g, σ %g)',
            radius, sigma) from measured first where first.method = measured.method
            and sigma is not null limit 1), '') as told
    from measured group by method;

-- Labels beside a plot, at the right end of what they name, may not cover each other. `ends` says
-- at which fraction of the axis each belongs; in order of height, each label is pushed up to `gap`
-- above the one below it, and then all are pushed down as far as the top requires.
create table ends (figure, nth, at, gap);
create view label_places as
    with ranked as (select *, row_number() over (partition by figure order by at, nth) as k,
            count(*) over (partition by figure) as n from ends),
        pushed_up as (select *, max(at - k * gap)
            over (partition by figure order by k) + k * gap as up from ranked)
    select figure, nth, at, min(1 - (n - k) * gap,
        min(up - k * gap) over (partition by figure order by k desc) + k * gap) as label_at
    from pushed_up;
