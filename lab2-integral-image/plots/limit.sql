-- The experiment `limit` in this lab; driver/plots/shared/limit.sql makes the rest.

create view limits as select *, "case" as work from measured;
create table drawn as select column1 as work from (values ('32-bit'), ('64-bit'));
