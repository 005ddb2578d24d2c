# shellcheck shell=bash disable=SC2154
# The messages of run_all.sh about its steps and their times. It sets output and build.
#
# The output folder keeps the durations of the last run, lines of "LAB STEP SECONDS". Before there are
# any, durations.txt is used: estimates for two cores without a GPU.

say() { printf '[%4d s] %s\n' "$SECONDS" "$*"; }

# duration_of LAB STEP: a build that begins anew takes longer than the last one, which may not have.
duration_of() {
    local known=$output/durations
    case $2 in
        library | testing | look | build | rest) [[ -e $build/$1/CMakeCache.txt ]] || known='' ;;
    esac
    awk -v key="$1 $2" -v scale="${scale:-1}" '
        $1 " " $2 != key { next }
        FILENAME ~ /durations.txt$/ { seconds = int($3 * scale + 0.5); next }
        { seconds = $3 }
        END { if (seconds != "") print seconds }' \
        harness/tools/durations.txt ${known:+$([[ ! -e $known ]] || echo "$known")}
}

# expect LAB STEP...: the sum of their durations.
expect() {
    local lab=$1 step seconds sum=0
    shift
    for step; do
        seconds=$(duration_of "$lab" "$step")
        sum=$((sum + ${seconds:-0}))
    done
    echo "$sum"
}

in_words() {
    if (($1 > 100)); then echo "about $((($1 + 30) / 60)) min"; else echo "about $1 s"; fi
}

# begin LAB STEP TEXT: announces a step; `finish` says how it went.
begin() {
    local seconds
    kill -0 $$ || exit 1 # of run_all.sh only this part is left
    step_of=$2 step_start=$SECONDS step_expected=''
    [[ -e $build/$1/CMakeCache.txt ]] || step_expected=$(duration_of "$1" "$2")
    seconds=$(duration_of "$1" "$2")
    say "$1: $3${seconds:+ ($(in_words "$seconds"))}"
}

# finish LAB TEXT
finish() {
    local taken=$((SECONDS - step_start)) file=$output/durations
    say "$1: $2 ($taken s)"
    # This machine against the one of durations.txt, by the first step that begins anew.
    if [[ -z ${scale:-} && ${step_expected:-0} -ge 10 && $step_of != install ]]; then
        scale=$(awk -v taken="$taken" -v expected="$step_expected" \
            'BEGIN { print (taken > 0 ? taken : 1) / expected }')
        announce
    fi
    [[ -d $output ]] || return 0 # `figures` has none
    { grep -sv "^$1 $step_of " "$file" || true; } >"$file.new"
    echo "$1 $step_of $taken" >>"$file.new"
    mv "$file.new" "$file"
}

# with_progress LOG COMMAND...: its output goes to LOG. A terminal shows how far it is.
with_progress() {
    local log=$1 result=0 shown
    shift
    if [[ ! -t 1 ]]; then
        "$@" >"$log" 2>&1 || result=$?
        return $result
    fi
    show_progress "$log" &
    shown=$!
    "$@" >"$log" 2>&1 || result=$?
    kill "$shown" 2>/dev/null || true
    wait "$shown" 2>/dev/null || true
    printf '\r\033[K'
    return $result
}

# The last "[3/40]" of a build, or "3/40 Test" of CTest, once a second.
show_progress() {
    local far
    while sleep 1 && kill -0 $$ 2>/dev/null; do
        far=$(grep -oE '^\[ *[0-9/%]+\]|^ *[0-9]+/[0-9]+ Test' "$1" 2>/dev/null | tail -n 1)
        printf '\r\033[K%*s %s' 8 '' "$far"
    done
}

# Prints the time that the whole run will take. Lab 1 comes first.
announce() {
    local lab steps=(test) sum
    [[ -z $bench ]] || steps+=("bench-$mode" figures)
    sum=$(expect harness library testing)
    [[ -n $points ]] || sum=$((sum + $(expect harness build test)))
    for lab in "${labs[@]}"; do
        if [[ $lab == "${labs[0]}" ]] && wants_look; then
            sum=$((sum + $(expect "$lab" look rest "${steps[@]}")))
        else
            sum=$((sum + $(expect "$lab" build "${steps[@]}")))
        fi
    done
    [[ $mode == full && -n $bench ]] && say "the complete sweeps take hours" && return
    ((sum == 0)) || say "all of it takes $(in_words "$sum")"
}
