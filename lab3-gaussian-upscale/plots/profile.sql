-- Nsight Compute's counters of every kernel, beside report 003's comparison of its four.

-- The rate of a large copy is in the data of `roofline`, if that was measured too.
create table if not exists csv_roofline (ceiling_gb_per_s, parameters);
create table kernels as
    select rowid as nth, *, rowid = (select rowid from data main where main.variant = data.variant
            order by duration_ms desc, rowid limit 1) as is_main,
        (select count(*) from data d where d.variant = data.variant) as kernels,
        (select sum(duration_ms) from data d where d.variant = data.variant) as total_ms,
        100 * dram_gb_per_s / (select avg(ceiling_gb_per_s) from csv_roofline
            where parameters not like '%threads=%') as copy_percent
    from data;
create view first as select variant, total_ms from kernels limit 1;
update settings set value = (select replace(replace(gpu, '(R)', ''), '(TM)', '') from data)
    where name = 'MACHINE';

-- A group of bars for each kernel, named after its variant; without a rate of a copy, there is no
-- third bar.
create view bars as
    select nth, iif(kernels = 1, variant, variant || ': ' || kernel) as name, key as bar, id,
        value, row_number() over (partition by nth order by id) as k
    from kernels, json_each(json_object('memory', memory_percent, 'compute', compute_percent,
        'DRAM, % of a copy', copy_percent)) where value is not null;
-- output: bars.tsv
with thick as (select 0.84 / max(k) as thick from bars)
select 'profile' as figure, name, nth as place, bar as title, value,
    nth - 0.42 + (k - 1) * thick as top, nth - 0.42 + k * thick as bottom,
    '{' || value || '}' as label
from bars, thick order by nth, id;

-- Report 003's comparison, its rows and columns, with our kernels of the same names. Of a variant
-- that is several kernels it is the main one, and then the time of all.
create view report as select rowid as nth, * from report_profile;
create view metrics as
    select variant, report.nth, 1 as ours, key, id, iif(key = 'registers per thread',
            printf('%d', value), '{' || value || '}') as text,
        variant || iif(kernels = 1, '', printf(' (%s)', kernel)) as column
    from kernels k join report using (variant), json_each(json_object('memory, %', k.memory_percent,
        'compute, %', k.compute_percent, 'DRAM, GB/s', k.dram_gb_per_s,
        'L1 hits, %', k.l1_hit_percent, 'sectors per request', k.sectors_per_request,
        'achieved occupancy, %', k.occupancy_percent,
        'registers per thread', k.registers, 'stall, long scoreboard', k.stall_long_scoreboard,
        'duration, ms', k.duration_ms, 'all its kernels, ms', total_ms,
        'speedup', (select total_ms from first) / total_ms)) where is_main
    union all
    select variant, nth, 0, key, id, iif(key like 'registers%', printf('%d', value),
            printf('%.2f', value)), 'report 003''s ' || variant
    from report r, json_each(json_object('memory, %', memory_percent,
        'compute, %', compute_percent, 'DRAM, GB/s', dram_gb_per_s, 'L1 hits, %', l1_hit_percent,
        'sectors per request', sectors_per_request, 'achieved occupancy, %', occupancy_percent,
        'registers per thread', registers, 'stall, long scoreboard', stall_long_scoreboard,
        'duration, ms', duration_ms, 'all its kernels, ms', null, 'speedup', speedup))
    where value is not null and variant in (select variant from kernels);
-- output: profile.md
select 'Report 003''s comparison (GTX 1660 Ti) and ours' as title, key as metric,
    2 * nth + ours as nth_column, "column", text as cell
from metrics order by id, nth_column;
select 'All kernels' as title, variant, kernel, memory_percent as "memory, %",
    compute_percent as "compute, %", dram_gb_per_s as "DRAM, GB/s",
    l1_hit_percent as "L1 hits, %", sectors_per_request as "sectors per request",
    occupancy_percent as "achieved occupancy, %",
    cast(registers as int) as "registers per thread",
    stall_long_scoreboard as "stall, long scoreboard", duration_ms as "duration, ms",
    -- The speedup is that of the variant, and stands beside the kernel that most of its time is.
    iif(is_main, (select total_ms from first) / total_ms, null) as speedup
from kernels order by nth;
select printf('Speedups are over %s, by the time of all kernels of the variant under the profiler. Measured on'
        || ' GPU: %s; commit: %s; date: %s.', variant, gpu, "commit", substr(timestamp, 1, 10))
    from data limit 1;

-- Two of them, with the counters in the order in which docs/profiling.md numbers them.
create view counters as
    select variant, id, key, value from kernels, json_each(json_object('time, ms', duration_ms,
        '1. compute, %', compute_percent, '2. memory, %', memory_percent,
        'DRAM, GB/s', dram_gb_per_s, '3. sectors per load request', sectors_per_request,
        '4. active warps, %', occupancy_percent,
        '5. stall, long scoreboard', stall_long_scoreboard));
-- output: profile-naive.md
select key as counter, a.value as "`cuda_naive`", b.value as "`cuda_constant`"
from counters a join counters b using (key)
    where a.variant = 'cuda_naive' and b.variant = 'cuda_constant' order by a.id;
