create view limits as select *, method as work from measured;
