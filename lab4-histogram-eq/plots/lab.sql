-- Tables for the queries of this lab.
--
-- Report 004 is the student report that this lab grew out of. report_*.csv hold its numbers as it
-- prints them. Its sequential program and its kernels are variants here.
insert into settings values ('REPORT_MACHINE', 'GTX 1050'), ('REPORT_CPU', 'Core i7-7700HQ'),
    ('BASELINE', 'seq'), ('REPORT_VARIANT', 'cuda_three_kernels');
create table report (machine, cpu, variant);
insert into report values ('GTX 1050', 'Core i7-7700HQ', 'cuda_three_kernels');

-- Variants that go from host to host by themselves have one time, which is that of the whole way.
create table times as
    select *, on_gpu and kernel_ms_mean = total_ms_mean as whole_way from measured;
create table names as
    select variant, max(whole_way) as whole_way,
        variant || iif(max(whole_way), ' (host to host)', '') as name
    from times group by variant;

-- Cases are pictures, distributions or blocks, in the order of the data.
create table cases as
    select "case", size, pixels, min(nth) as nth, row_number() over (order by min(nth)) as x
    from times group by "case" order by x;
create table largest as select "case" from cases order by pixels desc, nth limit 1;
insert into settings select 'LARGEST', "case" from largest;
insert into settings select 'SIZE', size from cases limit 1;

-- seq's times.
create table baseline as
    select nth, "case", kernel_ms_mean as ms from (select *, min(nth) from times
        where variant = 'seq' group by "case");
delete from bases;
insert into bases
    select times.nth, base from times
        join (select nth as base, "case" as its_case from baseline) on "case" = its_case;
