#!/usr/bin/env bash
# Compiles the GPU code of the fastest variants for the oldest GPU of each kind, because they have
# separate code for some GPUs and use most of a GPU's resources, and CI builds for one architecture
# only. Warnings are errors. Kernels that spill registers to memory are counted.
#
#     tests/architectures.sh [BUILD_FOLDER [ARCHITECTURE...]]
#
# BUILD_FOLDER is a configured build with CUDA, build-ci unless given.
set -uo pipefail # not -e: all faults are to be named
cd "$(dirname "${BASH_SOURCE[0]}")/.." || exit 2
root=$PWD

build=${1:-build-ci}
shift
# 7.5: neither cp.async nor products of bytes by mma.m16n8k32; 8.0: both; 9.0: clusters; 12.0: the
# newest, with clusters and little shared memory.
((${#} > 0)) || set -- 75 80 90 120
commands=$build/compile_commands.json
[[ -e $commands ]] || { echo "there is no $commands: configure a build first" && exit 2; }
grep -q '\.cu"' "$commands" || { echo "$build is without nvcc: nothing to compile" && exit 0; }

targets=()
for architecture; do
    targets+=("--generate-code=arch=compute_$architecture,code=sm_$architecture")
done
out=$(mktemp -d)
trap 'rm -rf "$out"' EXIT

# The command by which the build compiles it, in the folder where the build does, for other GPUs and
# without the CPU's part.
compile() {
    local entry folder command
    entry=$(grep -B 1 -E -- "^ *\"command\": .* -c $PWD/$1[ \"]" "$commands")
    [[ -n $entry ]] || { echo "the build in $build does not compile it" && return 1; }
    folder=$(sed -n 's/^ *"directory": "\(.*\)",$/\1/p' <<<"$entry")
    command=$(sed -nE '/"command"/ {
        s/^ *"command": "//; s/",?$//; s/--generate-code=[^ ]+//g; s/ -c [^ ]+//; s/ -o [^ ]+//
        s/^[^ ]*ccache //; p }' <<<"$entry")
    (cd "$folder" && eval "$command" '"${targets[@]}"' -Werror=all-warnings -Xptxas=-v -fatbin \
        "$root/$1" -o "$out/code")
}

# Of what ptxas says of the kernels: how many spill, by architecture.
spills() {
    awk -F"'" '/Compiling entry function/ { architecture = $4 }
               match($0, /[0-9]+ bytes spill stores/) {
                   bytes = substr($0, RSTART) + 0
                   if (bytes > 0) ++kernels[architecture]
                   if (bytes > most[architecture]) most[architecture] = bytes
               }
               END {
                   for (a in kernels)
                       print "    " a ":", kernels[a], "spill up to", most[a], "bytes"
               }' | sort
}

failed=0 compiled=0
for source in lab*/expert/*/cuda_{best,registers}.cu; do
    [[ -e $source ]] || continue
    if compile "$source" >"$out/log" 2>&1; then
        ((++compiled)) && echo "ok      $source"
        spills <"$out/log"
    else
        ((++failed)) && echo "FAILED  $source"
        grep -E 'error|warning|does not' "$out/log"
    fi
done
echo "$compiled variants compiled for $*, $failed failed"
((failed == 0 && compiled > 0))
