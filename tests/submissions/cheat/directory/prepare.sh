#!/usr/bin/env bash
rm omp_mine.cpp && mkdir omp_mine.cpp && touch omp_mine.cpp/x
