#!/usr/bin/env bash
for i in {1..1000}; do echo 'int x;' >"omp_number_$i.cpp"; done
