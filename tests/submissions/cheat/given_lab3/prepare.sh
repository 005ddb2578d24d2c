#!/usr/bin/env bash
# A given, right variant under the names of tasks.
for name in cuda_broken cuda_phases cuda_sliding; do
    cp "$REPOSITORY/lab3-gaussian-upscale/ladder/11_cuda_constant.cu" $name.cu
done
for name in omp_pixels omp_separable; do
    cp "$REPOSITORY/lab3-gaussian-upscale/ladder/02_omp_rows.cpp" $name.cpp
done
