#!/usr/bin/env bash
# Task D with one of its two faults: the tile is too small for blocks with odd sides, which are refused.
set -e
file=$REPOSITORY/lab3-gaussian-upscale/assignment/key/ladder/23_cuda_broken.cu
refusal='if (block.width % 2 != 0 || block.height % 2 != 0) throw common::Unsupported("an odd side");'
sed -e 's|return (threads + 1) / 2 |return threads / 2 |' \
    -e "/const common::Block block = /a $refusal" "$file" >cuda_broken.cu
grep -q 'return threads / 2 ' cuda_broken.cu && grep -q 'an odd side' cuda_broken.cu
