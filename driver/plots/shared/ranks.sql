-- Figures and tables of the experiment `ranks`, which every lab has: ranks with one thread each, and
-- a variant in threads, on as many cores.

create table scaled as
    select *, iif(ranks > 0, ranks, threads_of_rank) as cores,
        ranks = 0 or threads_of_rank = 1 as pure
    from measured where kernel_ms_mean is not null and scaling in ('strong', 'weak');
create table alone as
    select scaling, variant, kernel_ms_mean as ms from scaled where cores = 1 and pure;
create table own_looks as  -- those of all variants of a lab repeat after 28
    select variant, 1 + row_number() over (order by nth) as look from variants;
create table rank_curves as
    select scaled.nth, scaling, variant, look, cores, quiet, alone.ms / kernel_ms_mean as value,
        alone.ms / high as low, alone.ms / scaled.low as high
    from scaled join alone using (scaling, variant) join own_looks using (variant) where pure;
insert into settings select 'STRONG', size from measured where scaling = 'strong' limit 1;
insert into settings select 'WEAK', size from measured where scaling = 'weak' limit 1;

-- The model: the time of one rank divided by n, and the messages that a rank waits for one after
-- the other, each `latency + bytes / rate`. Messages are those of two neighbours or of a sum that
-- doubles its distance in each step; those of 64 ranks tell which.
create table numbers (n, of_neighbours, of_doubling);
insert into numbers values (1, 0, 0), (2, 1, 1), (4, 2, 2), (8, 2, 3), (16, 2, 4), (32, 2, 5),
    (64, 2, 6);
create table exchange as
    select variant, message_bytes, latency_us, link_gb_per_s, messages_of_64,
        (latency_us + message_bytes / link_gb_per_s / 1000) / 1000 as message_ms
    from scaled where scaling = 'strong' and latency_us is not null group by variant;
create table modelled as
    select variant, n, alone.ms / n as divided_ms,
        iif(messages_of_64 = 2, of_neighbours, of_doubling) * message_ms as messages_ms, alone.ms
    from exchange join alone using (variant), numbers where scaling = 'strong';
create table shown as  -- the model of one variant is enough: others have the same messages
    select variant from modelled join variants using (variant) order by variants.nth limit 1;

-- output: lines.tsv
select 'ranks-' || scaling as figure, variant as title, look, cores as x, value, low, high
from (select * from rank_curves order by scaling,
    (select nth from variants v where v.variant = rank_curves.variant), cores);
select 'ranks-strong', printf('%s, hybrid on %d cores', shown.variant, most), 20,
    scaled.ranks, alone.ms / kernel_ms_mean, alone.ms / high, alone.ms / scaled.low
from scaled join shown using (variant) join alone using (scaling, variant),
    (select max(ranks * threads_of_rank) as most from scaled)
where scaling = 'strong' and ranks * threads_of_rank = most order by ranks;
select 'ranks-strong', 'model of ' || variant, 43, n, ms / (divided_ms + messages_ms),
    ms / (divided_ms + messages_ms), ms / (divided_ms + messages_ms)
from modelled join shown using (variant) order by n;
select 'ranks-link', 'measured', 2, message_bytes, message_us, message_us, message_us
from measured where scaling = 'link' order by message_bytes;
select 'ranks-link', 'latency + bytes / rate', 43, message_bytes,
    latency_us + message_bytes / link_gb_per_s / 1000,
    latency_us + message_bytes / link_gb_per_s / 1000,
    latency_us + message_bytes / link_gb_per_s / 1000
from measured where scaling = 'link' order by message_bytes;

-- What a time has beyond the time of one divided by the cores: messages, and the rest.
create table parts as
    select scaled.*, alone.ms / (max(ranks, 1) * threads_of_rank) as divided_ms,
        alone.ms as one_ms, message_ms * messages as modelled_ms,
        kernel_ms_mean - alone.ms / (max(ranks, 1) * threads_of_rank)
            - ifnull(communication_ms, 0) as rest_ms
    from scaled left join alone using (scaling, variant) left join exchange using (variant)
    where scaling = 'strong';

-- output: ranks.md
select 'Ranks and threads, ' || (select value from settings where name = 'STRONG') as title,
    '`' || variant || '`' as variant, iif(ranks > 0, cast(ranks as int), null) as ranks,
    cast(threads_of_rank as int) as "threads of a rank", kernel_ms_mean as "kernel ms",
    iif(steady, '{' || (one_ms / kernel_ms_mean) || '}',
        range_of(one_ms / high, one_ms / low)) as "speedup over one rank",
    divided_ms as "one's time divided, ms", communication_ms as "in messages, ms",
    modelled_ms as "by the model, ms",
    '{' || communication_percent || '} %' as "share of messages",
    case when not steady then 'too noisy to say'
        when kernel_ms_mean <= 1.1 * divided_ms then '-'
        when variant glob '*cuda*' and ranks > 1 then 'a GPU, which serves one rank at a time'
        when ifnull(communication_ms, 0) >= rest_ms then
            iif(communication_ms > 2 * modelled_ms, 'waiting for the slowest rank', 'messages')
        else 'computation' end as "the curve bends by"
from parts order by parts.variant, parts.ranks * threads_of_rank, parts.ranks;
select printf('The last column is for times more than 10 %% above one rank''s time divided by the cores.
"Computation": more than in messages is lost where cores share memory bandwidth, caches and clock.
In messages: the mean over ranks of the time in MPI functions, waiting for a late rank included. By
the model: %d messages one after the other for 64 ranks, each {%s} microseconds and 1 microsecond
for every {%s} KB; one of %d bytes, which is what a rank sends here, was measured at {%s}
microseconds.
', messages_of_64, latency_us, link_gb_per_s, message_bytes, message_us)
from scaled where latency_us is not null limit 1;
select printf('Projected by the model, not measured: with 64 ranks on 64 cores, `%s` would be {%s} times as
fast as with one, and messages would be {%s} %% of its time. The model has no shared memory bandwidth
and no slow ranks.
', variant, ms / (divided_ms + messages_ms), 100 * messages_ms / (divided_ms + messages_ms))
from modelled join shown using (variant) where n = 64;
select means || ' ' || facts from notes where exists (select * from scaled);

-- Several GPUs beside one.
create table gpus as
    select measured.*, one.ms as one_ms,
        one.ms / measured.kernel_ms_mean / iif(scaling = 'gpus', ranks, 1) as part_of_all,
        pixels / measured.kernel_ms_mean / 1e6 as gigapixels
    from measured join (select scaling as its, size as its_size, kernel_ms_mean as ms from measured
            where variant = 'cuda_best' and scaling like 'gpus%') one
        on its = scaling and (its_size = size or scaling = 'gpus-weak')
    where variant = 'mpi_nccl' and measured.kernel_ms_mean is not null;

-- output: lines.tsv
select 'ranks-gpus' as figure, iif(scaling = 'gpus', size, 'weak: '
        || (select size from gpus where scaling = 'gpus-weak' order by ranks limit 1)
        || ' for each') as title,
    dense_rank() over (order by scaling, iif(scaling = 'gpus', pixels, 0)) as look, ranks as x,
    100 * part_of_all as value, 100 * part_of_all * kernel_ms_mean / high as low,
    100 * part_of_all * kernel_ms_mean / measured_low as high
from (select *, low as measured_low from gpus) order by look, x;

-- output: gpus.md
select size || iif(scaling = 'gpus', '', ', rows for each GPU') as picture,
    cast(ranks as int) as GPUs, kernel_ms_mean as "`mpi_nccl`, ms",
    one_ms as "`cuda_best` on one GPU, ms",
    iif(scaling = 'gpus', one_ms / kernel_ms_mean, ranks * one_ms / kernel_ms_mean)
        as "times as fast", '{' || (100 * part_of_all) || '} %' as "of the GPUs times one",
    gigapixels as "gigapixels a second"
from gpus order by scaling, pixels, ranks;
select means || ' ' || facts from notes where exists (select * from gpus);
