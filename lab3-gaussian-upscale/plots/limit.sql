-- The experiment `limit` in this lab; driver/plots/shared/limit.sql makes the rest.

-- NPP's cubic interpolation, `lagrange`, stands beside the libraries' bicubic one.
create view limits as
    select *, iif(method = 'lagrange', 'bicubic', method) as work from measured;
create table drawn as select column1 as work from (values ('gauss'), ('bicubic'));
