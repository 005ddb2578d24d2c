#!/usr/bin/env bash
# A given, right variant under the names of tasks.
cp "$REPOSITORY/lab2-integral-image/ladder/10_cuda_global.cu" cuda_broken.cu
