-- The last query of every experiment: what it put into `settings`, for gnuplot.
-- output: settings.gp
select * from gnuplot_settings;
