-- Every variant at the sizes of report 003's pictures.

-- Report 003's method is the Gaussian; other methods are drawn where that was not measured.
create table drawn as
    select method, told from methods order by method <> 'gauss', nth limit 1;
create table sizes as
    select size, pixels, pixels / 1e6 as megapixels, r.*
    from (select size, pixels, width, height from measured group by size) m
        left join report_datasets r on r.width = m.width and r.height = m.height;
insert into settings select 'METHOD', told from drawn;
-- Curves: the first, the fastest and some steps between, and libraries; the others are in the table.
create table shown as
    select variant from variants where variant like 'peer_%' or variant in ('seq', 'omp_rows',
        'omp_fused', 'omp_best', 'cuda_naive', 'cuda_uchar4', 'cuda_phases', 'cuda_best');

-- output: lines.tsv
select 'datasets' as figure, variant as title, look, pixels / 1e6 as x, kernel_ms_mean as value,
    low, high
from measured join shown using (variant) join drawn using (method) join looks using (variant) join variants using (variant)
where kernel_ms_mean is not null order by variants.nth, pixels;
-- output: copies.tsv
select 'datasets-copy' as figure, variant as title, look, pixels / 1e6 as x,
    percent_of_copy as value, percent_of_copy * kernel_ms_mean / high as low,
    percent_of_copy * kernel_ms_mean / low as high
from measured join shown using (variant) join drawn using (method) join looks using (variant) join variants using (variant)
where percent_of_copy is not null order by variants.nth, pixels;
-- output: sizes.tsv
select 'sizes' as figure, megapixels, printf('{%s}', megapixels) as number,
    ifnull(dataset, '') as dataset from sizes order by pixels;

-- Report 003's table, with ours beside it. On the GPU its two versions are compared, and the
-- fastest kernel is named; without one, every variant is a column, and a library that has another
-- method only is shown with that one.
create table ours as
    select m.*, variants.nth as variant_nth from measured m join variants using (variant)
    where method = ifnull((select drawn.method from drawn join measured d using (method)
            where d.variant = m.variant limit 1),
        (select method from measured d where d.variant = m.variant order by nth limit 1));
create table kernels as
    select s.size, naive.kernel_ms_mean as naive, vector.kernel_ms_mean as vector,
        fastest.variant, fastest.kernel_ms_mean as fastest
    from sizes s
        left join ours naive on naive.size = s.size and naive.variant = 'cuda_naive'
        left join ours vector on vector.size = s.size and vector.variant = 'cuda_uchar4'
        left join (select size, variant, min(kernel_ms_mean) as kernel_ms_mean from ours
            join drawn using (method) where backend = 'cuda' group by size) fastest
            on fastest.size = s.size;
create table any_gpu as select max(fastest) is not null as yes from kernels;

create view described as
    select size, pixels, told || ', report 003''s (GTX 1660 Ti) and ours' as title, dataset,
        printf('%.1f', megapixels) as megapixels, iif(cuda_naive_ms is null, null, printf('%.3f', cuda_naive_ms)) as naive_ms,
        iif(cuda_uchar4_ms is null, null, printf('%.3f', cuda_uchar4_ms)) as vector_ms, iif(speedup is null, null, printf('%.2f', speedup)) as its_speedup
    from sizes, drawn;
-- output: datasets.md
select title, dataset, size as input, megapixels as Mpixel, naive_ms as "report 003's naive, ms",
    vector_ms as "its vectorised, ms", its_speedup as "its speedup", naive as "cuda_naive, ms",
    vector as "cuda_uchar4, ms", naive / vector as speedup, variant as fastest, fastest as ms,
    naive / fastest as speedup
from described join kernels using (size), any_gpu where yes order by pixels;
select title, dataset, size as input, megapixels as Mpixel, naive_ms as "report 003's naive, ms",
    vector_ms as "its vectorised, ms", its_speedup as "its speedup", variant_nth as nth_column,
    variant || iif(ours.method = drawn.method, '', ', ' || ours.method) || ', ms' as "column",
    '{' || kernel_ms_mean || '}' as cell
from described join ours using (size, pixels), drawn, any_gpu where not yes
order by pixels, variant_nth;
select iif(yes, 'Speedups are over the naive version on the same GPU. ', '') || means || ' '
    || facts from notes, any_gpu;
