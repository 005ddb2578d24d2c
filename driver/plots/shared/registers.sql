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

insert into tables values (1, null, '| variant | kernel |', '| :-- | :-- |');
insert into cells
    select 1, place, printf('| `%s` | `%s` |', variant, kernel), capability,
        printf('%d.%d', capability / 10, capability % 10),
        printf('%d, %d %%', registers, percent)
            || iif(spill_bytes > 0, printf(', spills %d', spill_bytes), '')
    from taken;
-- output: registers.md
select line from markdown where line <> '';
