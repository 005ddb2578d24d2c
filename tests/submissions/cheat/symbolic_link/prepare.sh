#!/usr/bin/env bash
# In the folder of the copy: the target would be right.
mv omp_mine.cpp "${TMPDIR:?}/labs-target.cpp" && ln -s "$TMPDIR/labs-target.cpp" omp_mine.cpp
