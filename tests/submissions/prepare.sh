#!/usr/bin/env bash
# prepare.sh KIND/NAME: gives the hand-in in the current folder what a section cannot hold: pipes,
# links, odd bytes, and files of the labs with a change. $TMPDIR is a folder beside it.
# shellcheck disable=SC2016 # `$` in names and programs of sed
set -euo pipefail
labs=$(realpath "$(dirname "${BASH_SOURCE[0]}")/../..")

# given FILE NAME...: a given, right variant under the names of tasks.
given() {
    local name
    for name in "${@:2}"; do cp "$labs/$1" "$name.${1##*.}"; done
}

# edited FROM TO PROGRAM...: a copy of FROM; each program of sed has to change a line of it.
edited() {
    local from=$1 to=$2 program
    cp "$from" before
    for program in "${@:3}"; do
        sed "$program" before >"$to"
        ! cmp -s before "$to" || { echo "prepare.sh: $from lacks: $program" >&2 && exit 1; }
        cp "$to" before
    done
    rm before
}

# solved LAB FILE PROGRAM...: the solution of the task "broken", edited.
solved() {
    local from=$labs/$1/assignment file=$2
    cp "$from/starter/ladder/$file" . && git apply -p2 "$from/key/ladder/$file.patch"
    edited "$file" cuda_broken.cu "${@:3}" && rm "$file"
}

# refuses CONDITION WHY
refuses() { printf 'if (%s) throw common::Unsupported("%s");' "$1" "$2"; }

case $1 in
    right/other_files)
        mkdir parts && touch omp_rows.CPP parts/answers.txt.txt
        echo 'message(FATAL_ERROR "nobody reads this")' >CMakeLists.txt
        echo 'Nothing to see.' >notes.txt
        echo '{"score": 100}' >results.json
        ;;
    right/text_file)
        { printf '\xef\xbb\xbf' && sed 's/$/\r/' omp_mine.cpp | head -c -2; } >changed
        mv changed omp_mine.cpp
        ;;
    wrong/empty) touch omp_mine.cpp ;;
    wrong/in_a_folder) mkdir -p lab1/ladder && mv omp_mine.cpp lab1/ladder/ ;;
    cheat/directory) rm omp_mine.cpp && mkdir omp_mine.cpp && touch omp_mine.cpp/x ;;
    cheat/given_lab1)
        given lab1-convolution/ladder/10_cuda_per_channel.cu cuda_{per_pixel,broken,shared}
        ;;
    cheat/given_lab2) given lab2-integral-image/ladder/10_cuda_global.cu cuda_broken ;;
    cheat/given_lab3)
        given lab3-gaussian-upscale/ladder/11_cuda_constant.cu cuda_{broken,phases,sliding}
        given lab3-gaussian-upscale/ladder/02_omp_rows.cpp omp_{pixels,separable}
        ;;
    cheat/given_lab4)
        given lab4-histogram-eq/ladder/13_cuda_global_atomics.cu \
            cuda_{broken,shared_atomics,lane_histograms}
        ;;
    cheat/hard_link) ln omp_mine.cpp "$TMPDIR/labs-other-name.cpp" ;;
    cheat/lab2_hands_in_given)
        edited omp_outer.cpp omp_two_passes.cpp 's/omp_outer/omp_two_passes/' 's/quadratic/linear/'
        ;;
    cheat/lab2_one_block)
        refusal=$(refuses 'options.block \&\& options.block->height != 8' 'not 32x8')
        edited "$labs/lab2-integral-image/ladder/12_cuda_lines.cu" cuda_lines.cu \
            "s|const common::Block block = .*|const common::Block block{32, 8}; $refusal|"
        ;;
    cheat/lab3_refuses_odd)
        refusal=$(refuses 'block.width % 2 != 0 || block.height % 2 != 0' 'an odd side')
        solved lab3-gaussian-upscale 23_cuda_broken.cu "/const common::Block block = /a $refusal" \
            's|return (threads + 1) / 2 |return threads / 2 |'
        ;;
    cheat/lab4_counters_one_warp)
        edited cuda_lane_histograms.cu cuda_shared_atomics.cu \
            's/cuda_lane_histograms/cuda_shared_atomics/'
        ;;
    cheat/large_file) head -c 1000000 /dev/zero | tr '\0' '/' >>omp_mine.cpp ;;
    cheat/many_files) for i in {1..1000}; do echo 'int x;' >"omp_number_$i.cpp"; done ;;
    cheat/names)
        for name in '-fplugin=x.so.cpp' 'omp_$(touch labs-touched).cpp' \
            'omp_a;touch labs-touched;.cpp' $'omp_two\nlines.cpp' '@options' '..cpp' \
            "omp_$(printf 'x%.0s' {1..200}).txt"; do
            printf x >"$name"
        done
        printf '%s' '-include /etc/passwd' >'@omp_mine.cpp'
        ;;
    cheat/pipe) rm omp_mine.cpp && mkfifo omp_mine.cpp ;;
    cheat/refuses_third_fault)
        one='const int i = thread; i < size * size'
        refusal=$(refuses 'block.threads() * in.channels < options.mask.size * options.mask.size' \
            'fewer threads than weights')
        solved lab1-convolution 19_cuda_broken.cu "/const dim3 grid/i $refusal" \
            "s|for (int i = thread; i < size \\* size; i += threads) |if ($one) |"
        ;;
    cheat/symbolic_link)
        mv omp_mine.cpp "$TMPDIR/labs-target.cpp" && ln -s "$TMPDIR/labs-target.cpp" omp_mine.cpp
        ;;
    cheat/zeros) head -c 1000 /dev/zero >>omp_mine.cpp ;;
esac
