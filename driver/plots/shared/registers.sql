-- Registers and memory of each kernel for each compute capability, from tests/architectures.sh
-- --csv. A kernel with several instances has the greatest number of each.
--
-- The registers of a multiprocessor, 65,536, are divided among warps in units of 256, and the warps
-- among four schedulers (CUDA Occupancy Calculator; CUDA C++ Programming Guide, "Compute
-- Capabilities").

create table capabilities (architecture, most_warps);
insert into capabilities values (75, 32), (80, 64), (86, 48), (89, 48), (90, 64), (120, 48);
create table taken as
    select min(nth) over (partition by variant, kernel) as place, *,
        min(most_warps, 65536 / (cast((registers * 32 + 255) / 256 as int) * 256) / 4 * 4)
            * 100 / most_warps as percent
    from (select *, cast(architecture as int) as capability from measured)
        join capabilities on capability = capabilities.architecture;

-- output: registers.md
select '`' || variant || '`' as variant, '`' || kernel || '`' as kernel, capability as nth_column,
    printf('%d.%d', capability / 10, capability % 10) as "column",
    printf('%d, %d %%', registers, percent)
        || iif(spill_bytes > 0, printf(', spills %d', spill_bytes), '') as cell
from taken order by place, capability;
