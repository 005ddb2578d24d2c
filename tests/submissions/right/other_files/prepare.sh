#!/usr/bin/env bash
mkdir parts && touch omp_rows.CPP parts/answers.txt.txt
