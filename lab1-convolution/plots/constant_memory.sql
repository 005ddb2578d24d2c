-- The experiment `constant_memory` in this lab; see
-- driver/plots/shared/constant_memory.sql.

create view counted as select *, mask_size as count from measured;
create table heads as select 'mask_size' as head;
create table kernels (kernel, variant);
insert into kernels values
    (1, 'cuda_per_pixel'), (2, 'cuda_constant_symbol'), (3, 'cuda_global_mask');
