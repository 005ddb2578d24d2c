#!/usr/bin/env bash
# Compiles the GPU code of the fastest variants for the oldest GPU of each kind, because they have
# separate code for some GPUs and use most of a GPU's resources, and CI builds for one architecture
# only. Warnings are errors. Kernels that spill registers to memory are counted.
#
#     tests/architectures.sh [--csv] [BUILD_FOLDER [ARCHITECTURE...]]
#
# BUILD_FOLDER is a configured build with CUDA, build-ci unless given. --csv compiles the kernels of
# all variants and writes reports/LAB/h200/registers.csv: what each kernel takes of a multiprocessor.
set -uo pipefail # not -e: all faults are to be named
cd "$(dirname "${BASH_SOURCE[0]}")/.." || exit 2
root=$(pwd -P)  # as CMake writes it

sources=(lab*/expert/*/cuda_{best,registers}.cu) csv=
if [[ ${1:-} == --csv ]]; then # *_l1_off: a rung's kernel with an option for ptxas
    mapfile -t sources < <(printf '%s\n' lab*/{ladder,experiments}/*.cu lab*/expert/*/cuda_*.cu |
        grep -v _l1_off)
    csv=yes && shift
fi
build=${1:-build-ci}
shift
# 7.5: neither cp.async nor products of bytes by mma.m16n8k32; 8.0: both; 9.0: clusters; 12.0: the
# newest, with clusters and little shared memory.
((${#} > 0)) || set -- 75 80 90 120
commands=$build/compile_commands.json
[[ -e $commands ]] || { echo "there is no $commands: configure a build first" && exit 2; }
grep -q '\.cu"' "$commands" || { echo "not checked: $build is without nvcc" && exit 77; }

targets=''
for architecture; do
    targets+=" --generate-code=arch=compute_$architecture,code=sm_$architecture"
done
out=$(mktemp -d)
trap 'rm -rf "$out"' EXIT

# The command by which the build compiles it, in the folder where the build does, for other GPUs, and
# without the CPU's part and CI's option to compile kernels quickly. What the compiler says is in
# log_of SOURCE, the exit code in its last line.
log_of() { echo "$out/${1//\//_}.log"; }
compile() {
    local entry folder command
    entry=$(grep -B 1 -E -- "^ *\"command\": .* -c $root/$1[ \"]" "$commands")
    [[ -n $entry ]] || { echo "the build in $build does not compile it" && return 1; }
    folder=$(sed -n 's/^ *"directory": "\(.*\)",$/\1/p' <<<"$entry")
    command=$(sed -nE '/"command"/ {
        s/^ *"command": "//; s/",?$//; s/[\\"]*--generate-code=[^ ]+//g; s/ -c [^ ]+//; s/ -o [^ ]+//
        s/^[^ ]*ccache //; s/ -Ofc max//; p }' <<<"$entry")
    (cd "$folder" && eval "$command" "$targets" -Werror=all-warnings -Xptxas=-v -fatbin \
        "$root/$1" -o "$(log_of "$1").code")
}
compile_and_log() { { compile "$1"; echo $?; } >"$(log_of "$1")" 2>&1; }
export -f log_of compile compile_and_log
export root build out targets commands

# Makes of ptxas's report a row "KERNEL,ARCHITECTURE,REGISTERS,SPILL BYTES,SHARED BYTES" for each
# instance of each kernel.
resources() {
    awk -F"'" '
        /Compiling entry function/ { kernel = $2; architecture = substr($4, 4); next }
        match($0, /[0-9]+ bytes spill stores/) { spilled = substr($0, RSTART) + 0 }
        match($0, /Used [0-9]+ registers/) {
            registers = substr($0, RSTART + 5) + 0
            shared = match($0, /[0-9]+ bytes smem/) ? substr($0, RSTART) + 0 : 0
            print kernel "," architecture "," registers "," spilled "," shared
        }' | c++filt -p | sed -E 's/<.*>//; s/^(void )?(.*::)?//'
}

# How many instances spill, by architecture.
spills() {
    awk -F, '$4 > 0 { ++kernels[$2]; if ($4 > most[$2]) most[$2] = $4 }
             END { for (a in kernels) print "    sm_" a ":", kernels[a], "spill up to", most[a],
                       "bytes" }' "$out/resources" | sort
}

# The rows of a variant: of all instances of a kernel, the most of each.
rows() {
    awk -F, -v variant="$1" '
        { key = $1 "," $2; if (!(key in instances)) order[++count] = key }
        { ++instances[key] }
        $3 > registers[key] { registers[key] = $3 }
        $4 > spilled[key] { spilled[key] = $4 }
        $5 > shared[key] { shared[key] = $5 }
        END {
            for (i = 1; i <= count; ++i) {
                key = order[i]
                print variant "," key "," instances[key] "," registers[key] "," spilled[key] + 0 \
                    "," shared[key] + 0
            }
        }' "$out/resources"
}

failed=0 compiled=0
printf '%s\0' "${sources[@]}" | xargs -0 -P "$(nproc)" -I SOURCE bash -c 'compile_and_log SOURCE'
for source in "${sources[@]}"; do
    log=$(log_of "$source")
    if [[ $(tail -n 1 "$log") == 0 ]]; then
        ((++compiled)) && echo "ok      $source"
        resources <"$log" >"$out/resources"
        spills
        variant=$(sed 's|.*/||; s|^[0-9]*_||; s|\..*||' <<<"$source")
        [[ -z $csv ]] || rows "$variant" >>"$out/${source%%/*}.csv"
    else
        ((++failed)) && echo "FAILED  $source"
        grep -E 'error|fatal|warning|does not|unexpected' "$log"
    fi
done
echo "$compiled variants compiled for $*, $failed failed"
((failed == 0 && compiled > 0)) || exit 1
[[ -n $csv ]] || exit 0
for rows in "$out"/lab*.csv; do
    { echo variant,kernel,architecture,instances,registers,spill_bytes,shared_bytes && cat "$rows"; } \
        >"reports/$(basename "$rows" .csv)/h200/registers.csv"
done
