-- Figure of the experiment `ladder`: one step for each rung. The lab's ladder.sql makes first
--
--     climbed     the rows of `measured` to draw: each rung and each library once, at one size

create table steps as
    select iif(on_gpu, 'gpu', 'cpu') as machine, backend, variant as name, look, idea, nth, size,
        percent_of_copy as value,
        ifnull('{' || percent_of_copy || '} %', 'too noisy for a ratio') as label
    from climbed join looks using (variant) left join listed using (variant);
.headers on
.output staircase.tsv
select 'staircase-' || machine as figure, *,
    row_number() over (partition by machine order by nth) as place,
    max(108, ifnull(1.1 * max(value) over (partition by machine), 0)) as end_of_axis
from steps where backend <> 'peer' order by machine, nth;
.output libraries.tsv
select 'libraries-' || machine as figure, name, max(value) as value
from steps where backend = 'peer' and value is not null group by machine, name;
