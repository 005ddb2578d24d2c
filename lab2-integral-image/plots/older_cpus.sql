create view limits as select *, "case" as work from measured;
