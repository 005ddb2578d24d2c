#!/usr/bin/env bash
# Runs every faulty kernel of the corpus on a GPU under the compute-sanitizer tool that should find
# it. Prints a line for each: case, tool, reported lines, marked lines, `agrees`, `other line` or
# `nothing`.
#
#     emulation/tests/corpus/on_gpu.sh [ARCHITECTURE]     native unless given
set -uo pipefail # not -e: every case runs
cd "$(dirname "${BASH_SOURCE[0]}")" || exit 2

for tool in nvcc compute-sanitizer; do
    command -v "$tool" >/dev/null || { echo "there is no $tool" && exit 3; }
done
out=$(mktemp -d)
trap 'rm -rf "$out"' EXIT
nvcc -std=c++20 -O2 -lineinfo -arch="${1:-native}" --expt-relaxed-constexpr \
    -I. -I.. -I../../../common/include ./*.cu ./*.cpp -o "$out/corpus" || exit 1

while read -r name tool file marked; do
    timeout 60 compute-sanitizer --tool "$tool" "$out/corpus" "$name" >"$out/log" 2>&1
    reported=$(grep -oP "$file:\K[0-9]+" "$out/log" | sort -nu | xargs)
    if [[ -z $reported ]]; then
        verdict=nothing
    elif grep -qwF "${reported// /$'\n'}" <<<"$marked"; then
        verdict=agrees
    else
        verdict='other line'
    fi
    echo "$name, $tool, ${reported:--}, ${marked:--}, $verdict"
done < <("$out/corpus" --list)
