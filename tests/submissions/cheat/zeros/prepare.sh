#!/usr/bin/env bash
head -c 1000 /dev/zero >>omp_mine.cpp
