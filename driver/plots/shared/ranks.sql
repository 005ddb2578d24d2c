-- Figures and tables of the experiment `ranks`, which every lab has: ranks with one thread each, and
-- a variant in threads, on as many cores.

create table scaled as
    select *, iif(ranks > 0, ranks, threads_of_rank) as cores,
        ranks = 0 or threads_of_rank = 1 as pure
    from measured where kernel_ms_mean is not null;
create table alone as
    select scaling, variant, kernel_ms_mean as ms from scaled where cores = 1 and pure;
create table own_looks as  -- those of all variants of a lab repeat after 28
    select variant, 1 + row_number() over (order by nth) as look from variants;
create table curves as
    select scaled.nth, scaling, variant, look, cores, quiet, alone.ms / kernel_ms_mean as value,
        alone.ms / high as low, alone.ms / scaled.low as high
    from scaled join alone using (scaling, variant) join own_looks using (variant) where pure;
insert into settings select 'STRONG', size from measured where scaling = 'strong' limit 1;
insert into settings select 'WEAK', size from measured where scaling = 'weak' limit 1;

-- output: lines.tsv
select 'ranks-' || scaling as figure, variant as title, look, cores as x, value, low, high
from curves order by scaling, (select nth from variants v where v.variant = curves.variant), cores;

-- output: ranks.md
select printf('**Ranks and threads, %s**

| variant | ranks | threads of a rank | kernel ms | speedup over one rank | communication ms | its share |
| :-- | --: | --: | --: | --: | --: | --: |', (select value from settings where name = 'STRONG'));
select printf('| `%s` | %s | %d | {%s} | {%s} | {%s} | %s |', variant,
    iif(ranks > 0, cast(ranks as int), '-'), threads_of_rank, kernel_ms_mean,
    iif(quiet, alone.ms / kernel_ms_mean, null), communication_ms,
    ifnull('{' || communication_percent || '} %', '-'))
from scaled left join alone using (scaling, variant)
where scaling = 'strong' order by variant, ranks * threads_of_rank, ranks;
select printf('
A message between two ranks takes about {%s} microseconds and 1 microsecond for every {%s} KB; one of
%d bytes, which is what a rank sends to a neighbour here, was measured at {%s} microseconds.
', latency_us, link_gb_per_s, message_bytes, message_us)
from scaled where latency_us is not null limit 1;
select means || ' ' || facts from notes;
