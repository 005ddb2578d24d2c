#!/usr/bin/env bash
# clang.sh [LAB...]: compiles the labs for the CPU with clang++, without the libraries that are
# optional. `bench` compares the results of each rung with the definition, and fails if one is wrong.
# The tests of bands and of the command line run too: they differ without these libraries. Everything
# is in build-clang/.
set -euo pipefail
cd "$(dirname "${BASH_SOURCE[0]}")/.."
labs=("$@")
((${#labs[@]})) || labs=(lab*-*/)

for lab in "${labs[@]}"; do
    build=build-clang/${lab%/}
    echo "--- ${lab%/} by $(clang++ --version | head -n 1)"
    mkdir -p "$build"
    cmake -S "$lab" -B "$build" -DCMAKE_CXX_COMPILER=clang++ -DLABS_CUDA=OFF \
        -DCMAKE_DISABLE_FIND_PACKAGE_TIFF=ON -DCMAKE_DISABLE_FIND_PACKAGE_MPI=ON >"$build.log"
    cmake --build "$build" -j "$(nproc)" >>"$build.log" 2>&1 ||
        { tail -n 30 "$build.log" && exit 1; }
    program=$(sed -n 's/.*"program": "\([a-z_]*\)".*/\1/p' "$build/facts.json")
    "$build/$program" bench ladder --csv-dir "$build/results"
    ctest --test-dir "$build" -R 'Bands|Cli' -j "$(nproc)" --no-tests=error --output-on-failure
done
