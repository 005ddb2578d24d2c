#!/usr/bin/env bash
# shellcheck disable=SC2016 # nobody ought to expand this
# In the folder of the copy.
printf x >'-fplugin=x.so.cpp'
printf x >'omp_$(touch labs-touched).cpp'
printf x >'omp_a;touch labs-touched;.cpp'
printf x >$'omp_two\nlines.cpp'
printf x >'@options'
printf x >'..cpp'
printf x >"omp_$(printf 'x%.0s' {1..200}).txt"
printf '%s' '-include /etc/passwd' >'@omp_mine.cpp'
