#!/usr/bin/env bash
# Task C with one of its three faults: blocks with fewer threads than weights, which are refused.
set -e
from=$REPOSITORY/lab1-convolution/assignment file=19_cuda_broken.cu
cp "$from/starter/ladder/$file" . && git apply -p2 "$from/key/ladder/$file.patch"
refusal='if (block.threads() * in.channels < options.mask.size * options.mask.size) '
refusal+='throw common::Unsupported("fewer threads than weights");'
sed -e 's|for (int i = thread; i < size \* size; i += threads) |if (const int i = thread; i < size * size) |' \
    -e "/const dim3 grid/i $refusal" $file >cuda_broken.cu && rm $file
grep -q 'if (const int i = thread' cuda_broken.cu && grep -q 'fewer threads' cuda_broken.cu
