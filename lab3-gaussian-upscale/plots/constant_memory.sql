-- The experiment `constant_memory` in this lab; see
-- driver/plots/shared/constant_memory.sql.

create view counted as select *, radius as count from measured;
create table heads as select 'radius' as head;
create table kernels (kernel, variant);
insert into kernels values (1, 'cuda_constant'), (2, 'cuda_constant_symbol'),
    (3, 'cuda_global_weights');
