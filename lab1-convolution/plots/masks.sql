-- Figure of the experiment `masks`: time against mask size, every variant with its own block.

insert into settings select 'SIZE', size from measured limit 1;

create table points as
    select 'mask-sizes' as figure, variant as title, look, mask_size as x,
        kernel_ms_mean as value, low, high
    from measured join looks using (variant) join variants using (variant)
    where kernel_ms_mean is not null
    order by variants.nth, mask_size;

-- output: lines.tsv
select * from points;
