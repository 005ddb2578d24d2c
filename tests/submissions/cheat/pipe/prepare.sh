#!/usr/bin/env bash
rm omp_mine.cpp && mkfifo omp_mine.cpp
