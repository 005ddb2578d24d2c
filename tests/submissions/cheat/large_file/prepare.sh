#!/usr/bin/env bash
head -c 1000000 /dev/zero | tr '\0' '/' >>omp_mine.cpp
