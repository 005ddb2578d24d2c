#!/usr/bin/env bash
# Task D with one of its two faults: the tile is too small for blocks with odd sides, which are refused.
set -e
from=$REPOSITORY/lab3-gaussian-upscale/assignment file=23_cuda_broken.cu
cp "$from/starter/ladder/$file" . && git apply -p2 "$from/key/ladder/$file.patch"
refusal='if (block.width % 2 != 0 || block.height % 2 != 0) throw common::Unsupported("an odd side");'
sed -e 's|return (threads + 1) / 2 |return threads / 2 |' \
    -e "/const common::Block block = /a $refusal" $file >cuda_broken.cu && rm $file
grep -q 'return threads / 2 ' cuda_broken.cu && grep -q 'an odd side' cuda_broken.cu
