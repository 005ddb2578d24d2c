create view limits as select *, filter as work from measured;
