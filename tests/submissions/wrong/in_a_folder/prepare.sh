#!/usr/bin/env bash
mkdir -p lab1/ladder && mv omp_mine.cpp lab1/ladder/
