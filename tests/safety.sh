#!/usr/bin/env bash
# safety.sh: nothing that a user types may delete their files or hand out the solutions. Runs
# run_all.sh in copies of the committed tree, in a temporary folder. A fake cmake stands in for the
# builds, so that it takes seconds. As root, it also tries clones of another user.
set -uo pipefail # not -e: a check that fails is counted
cd "$(dirname "${BASH_SOURCE[0]}")/.." || exit 2
work=$(realpath "$(mktemp -d)")
trap 'rm -rf "$work"' EXIT
export GIT_CONFIG_NOSYSTEM=1 HOME=$work/home
mkdir "$HOME"

# shellcheck source=tests/checks.sh
. tests/checks.sh
shown=$work/said # of checks.sh
# says CODE TEXT COMMAND...: COMMAND ends with CODE, and says TEXT in its only line.
says() {
    timeout 60 "${@:3}" >"$work/said" 2>&1 </dev/null
    local code=$?
    check "${*:3}: exit code $code, wanted $1" test $code -eq "$1"
    check "${*:3}: says '$2' in one line" test "$(grep -c . "$work/said")$(grep -cE -- "$2" "$work/said")" = 11
}

# The files of this tree as they are, in a repository of their own.
tree=$work/tree
mkdir "$tree"
git -c safe.directory='*' ls-files -coz --exclude-standard | while IFS= read -r -d '' file; do
    [[ ! -e $file ]] || printf '%s\0' "$file"
done | xargs -0 cp -p --parents -t "$tree"
commit() { git -c user.name=x -c user.email=x -c commit.gpgsign=false commit -q "$@"; }
cd "$tree" && git init -q && git add -A && commit -m all || exit 2
unchanged() { [[ -z $(git -C "$tree" status --porcelain) ]]; }

# The builds do nothing, or last, or make a program that cannot list its variants.
real=$(command -v cmake) && mkdir "$work/bin"
cat >"$work/bin/cmake" <<END
#!/bin/bash
for word; do case \$word in
    --version | */probe) exec $real "\$@" ;;
    -B) folder=next ;;
    --build) folder=next build=1 ;;
    *) [[ \${folder:-} != next ]] || folder=\$word ;;
esac; done
mkdir -p "\$folder" && cd "\$folder"
if [[ -z \${build:-} ]]; then
    touch CMakeCache.txt && mkdir -p harness lab1-convolution
    echo '{"program": "convolution"}' | tee harness/facts.json >lab1-convolution/facts.json
    echo '[]' >lab1-convolution/variants.json
elif [[ "\$*" != *" lab1-"* ]]; then
    : # the harness
elif [[ -e $work/slow ]]; then
    sleep 77.$$ & # two levels, one in another group
    timeout 66 sleep 88.$$
else
    printf '#!/bin/sh\necho "error: no options here" >&2\nexit 1\n' >lab1-convolution/convolution
    chmod +x lab1-convolution/convolution
fi
END
cp "$work/bin/cmake" "$work/bin/ctest" && sed -i '2,$d' "$work/bin/ctest"
chmod +x "$work/bin/"*
export PATH=$work/bin:$PATH

# --- Folders --------------------------------------------------------------------------------------

ln -s "$tree" "$work/link"
ln -s "$tree/run_all.sh" "$work/run"
mkdir "$work/mine" "$work/other" && mkdir "$work/mine/harness" && echo kept >"$work/mine/harness/file"
ln -s "$tree/harness" "$work/other/harness"
for folder in . .. harness reports lab1-convolution/ docs/../common .git lab1-convolution/new \
    "$work/link" "$work/link/grading" "$work" "$work/mine" run_all.sh; do
    says 2 'folder' ./run_all.sh --no-bench --labs 1 --output "$folder"
    check "--output $folder changes nothing" unchanged
    says 2 'folder' ./run_all.sh --no-bench --labs 1 --build-dir "$folder"
    check "--build-dir $folder changes nothing" unchanged
done
check "files of others stay" test -e "$work/mine/harness/file"
for folder in . reports docs lab1-convolution "$work/link/common"; do
    says 2 '--report' ./run_all.sh --no-bench --labs 1 --report "$folder"
    check "--report $folder changes nothing" unchanged
done
echo kept >"$work/mine/index.html"
says 2 'not a page of run_all.sh' ./run_all.sh --no-bench --labs 1 --report "$work/mine"
says 2 'neither may be in the other' ./run_all.sh --output "$work/a" --build-dir "$work/a"
says 2 'neither may be in the other' ./run_all.sh --output "$work/a/b" --build-dir "$work/a"
says 2 'wants a value' ./run_all.sh --output ''
mkdir -p results && ln -s "$tree/lab1-convolution" results/lab1-convolution
says 2 'symbolic link' ./run_all.sh --labs 1
rm -r results build-all 2>/dev/null

# --- Shells, links --------------------------------------------------------------------------------

says 2 "no lab '9'" dash run_all.sh --labs 9
says 2 "no lab '9'" bash --posix run_all.sh --labs 9
says 2 "no lab '9'" "$work/run" --labs 9
cd / || exit 2
says 2 "no lab '9'" "$work/run" --labs 9
mkdir "$work/driver" && cd "$work" || exit 2 # a package of the same name
says 2 "'$work/other' is not empty" ./run --output other
cd "$tree" || exit 2
mkdir "$work/nothing" && for tool in dirname readlink date; do
    ln -s "$(command -v $tool)" "$work/nothing/"
done
says 2 'apt-get install python3 python3-jinja2' env PATH="$work/nothing" /bin/sh run_all.sh
printf '#!/bin/sh\nexit 1\n' >"$work/nothing/python3" && chmod +x "$work/nothing/python3" # an old one
says 2 "Jinja2, and $work/nothing/python3 is older or lacks it; .*pip install jinja2" \
    env PATH="$work/nothing" /bin/sh run_all.sh --install-deps

# --- Environment ----------------------------------------------------------------------------------

git -c core.autocrlf=true clone -q "$tree" "$work/crlf"
check "a clone with core.autocrlf starts" "$work/crlf/run_all.sh" --help
mkdir "$work/modules" && echo 'raise SystemExit("not the module")' >"$work/modules/json.py"
says 2 "no lab '9'" env PYTHONPATH="$work/modules" PYTHONWARNINGS=error PYTHONHOME=/none \
    TMPDIR=/none COLUMNS=1 ./run_all.sh --labs 9
says 2 "CMAKE_GENERATOR is 'Ninja Multi-Config', but has to be Ninja or Unix Makefiles" \
    env CMAKE_GENERATOR='Ninja Multi-Config' ./run_all.sh --labs 1

# --- Signals, two runs at once --------------------------------------------------------------------

left() {
    local file
    for file in /proc/[0-9]*/cmdline; do
        [[ $({ tr '\0' ' ' <"$file"; } 2>/dev/null) == "sleep "@(77|88).$$* ]] && echo "$file"
    done
}
wait_for() { for ((i = 0; i < 100; ++i)); do "$@" >/dev/null 2>&1 && return; sleep 0.1; done; }
slow_one_runs() { [[ $(left | wc -l) == 2 ]]; }
touch "$work/slow"
for signal in TERM:143 INT:130 HUP:129; do
    rm -f "$work/out/summary.md"
    env --default-signal=INT,HUP ./run_all.sh --no-bench --labs 1 --output "$work/out" \
        --build-dir "$work/build" >"$work/said" 2>&1 &
    run=$!
    wait_for slow_one_runs
    if [[ $signal == TERM* ]]; then
        says 2 "another run_all.sh \(pid $run\) uses '$work/out'" ./run_all.sh --output "$work/out"
        says 2 "another run_all.sh \(pid $run\) uses '$work/build'" ./run_all.sh --labs 1 \
            --variant seq --build-dir "$work/build"
    fi
    start=$(date +%s)
    kill -"${signal%:*}" $run
    wait $run
    check "$signal: exit code $?" test $? -eq "${signal#*:}"
    check "$signal: at once" test $(($(date +%s) - start)) -le 5
    check "$signal: ends all that it started" test -z "$(left)"
    check "$signal: reports" test -e "$work/out/summary.md"
done
rm "$work/slow"
timeout 50 ./run_all.sh --no-bench --labs 1 --output "$work/out" \
    --build-dir "$work/build" >"$work/said" 2>&1
check "a program that fails: its error is shown" grep 'lab1.*error: no options here' "$work/said"

# --- Starter --------------------------------------------------------------------------------------

starter=("starter" "$work/starter" "--labs" "1")
echo 'a hand-in' >hand-in.txt && mkdir -p submissions/ada && cp lab1-convolution/ladder/02_* submissions/ada/
harmless() { # from the checkout $1, the tree of students has nothing that is not to be in it
    rm -rf "$work/starter"
    timeout 100 "$1/run_all.sh" "${starter[@]}" >"$work/said" 2>&1 || return
    [[ -e $work/starter/run_all.sh && ! -e $work/starter/.git && ! -e $work/starter/hand-in.txt &&
        ! -e $work/starter/submissions && ! -e $work/starter/grading ]] &&
        [[ ! -e $work/starter/lab1-convolution/assignment ]]
}
refused() { # TEXT COMMAND...: with exit code 2, and nothing is written
    rm -rf "$work/starter"
    says 2 "$@"
    check "${*:2}: nothing written" test ! -e "$work/starter"
}
check "starter: through a symbolic link" harmless "$work/link"
git worktree add -q "$work/worktree" && cp hand-in.txt "$work/worktree/"
check "starter: in a worktree" harmless "$work/worktree"
export GIT_DIR=$work/worktree/.git GIT_INDEX_FILE=$work/none
check "starter: in a git hook" harmless "$tree"
unset GIT_DIR GIT_INDEX_FILE
mkdir "$work/without" && for tool in bash env dirname readlink realpath mktemp rm cat grep sed awk jq perl date; do
    ln -s "$(command -v $tool)" "$work/without/"
done
ln -s "$(python3 -c 'import sys; print(sys.executable)')" "$work/without/python3"
refused 'missing: git' env PATH="$work/without" bash run_all.sh "${starter[@]}"
mkdir "$work/exported" && git archive HEAD | tar -x -C "$work/exported"
refused 'only files that git tracks' "$work/exported/run_all.sh" "${starter[@]}"
git init -q "$work" # an exported tree within another repository
refused 'only files that git tracks' "$work/exported/run_all.sh" "${starter[@]}"
rm -r "$work/.git"
cp lab1-convolution/ladder/02_* docs/notes.cpp && git add docs
refused 'gives a solution away' ./run_all.sh "${starter[@]}"
git rm -qf docs/notes.cpp
for file in key/answers.txt judge.cpp; do
    cp "lab1-convolution/assignment/$file" docs/notes.txt && git add docs
    refused 'the file of a solution under another name: docs/notes.txt' ./run_all.sh "${starter[@]}"
    git rm -qf docs/notes.txt
done
if ((EUID == 0)); then
    chmod 755 "$work" && chown -R 12345 "$tree"
    refused 'another user owns; to allow it: git config' ./run_all.sh "${starter[@]}"
    chown -R 0 "$tree" && mkdir -m 777 "$work/theirs"
    refused 'another user owns; to allow it: git config' setpriv --reuid 12345 --clear-groups \
        env HOME=/nonexistent ./run_all.sh starter "$work/theirs/starter" --labs 1
    check "nothing written for another user" test ! -e "$work/theirs/starter"
fi

# --- Packages -------------------------------------------------------------------------------------

# Another apt has the lock twice. Without gnuplot:
printf '#!/bin/bash\n%s\n' 'exec "$@"' >"$work/without/sudo"
cat >"$work/without/apt-get" <<END
#!/bin/bash
echo "\$*" >>"$work/apt"
[[ \$* != *update || \$(grep -c update "$work/apt") -gt 2 ]] || { echo "E: Could not get lock" >&2 && exit 100; }
END
chmod +x "$work/without/"{sudo,apt-get}
env PATH="$work/without" bash run_all.sh figures --install-deps >"$work/said" 2>&1
check "--install-deps names each package once" grep -x '.* installing gnuplot-nox\( python3-jinja2\)\? (.*)' "$work/said"
check "--install-deps waits for another update" test "$(grep -c update "$work/apt")" -eq 3
check "--install-deps waits for dpkg's lock" grep 'Lock::Timeout=600.* install .*gnuplot-nox' "$work/apt"

# --- Jobs -----------------------------------------------------------------------------------------

# cores WANTED GROUP FILE=TEXT...: with these files in /sys/fs/cgroup
cores() {
    local fake=$work/cores file
    rm -rf "$fake" && mkdir -p "$fake/proc/self" && echo "$2" >"$fake/proc/self/cgroup"
    for file in "${@:3}"; do
        mkdir -p "$(dirname "$fake/sys/fs/cgroup/${file%%=*}")"
        echo "${file#*=}" >"$fake/sys/fs/cgroup/${file%%=*}"
    done
    check "jobs: $1 with ${*:2}" test "$(OMP_NUM_THREADS=64 OMP_THREAD_LIMIT=1 \
        python3 -m driver.cores "$fake")" = "$1"
}
all=$(env -u OMP_NUM_THREADS -u OMP_THREAD_LIMIT nproc)
cores "$all" 0::/
cores "$all" 0::/a a/cpu.max='max 100000'
cores 1 0::/a/b a/b/cpu.max='max 100000' a/cpu.max='100000 100000'
cores 1 0::/outside/name cpu.max='50000 100000'
cores 1 1:cpu,cpuacct:/a cpu,cpuacct/a/cpu.cfs_quota_us=90000 cpu,cpuacct/a/cpu.cfs_period_us=100000
cores "$all" 1:cpu:/a cpu/a/cpu.cfs_quota_us=-1 cpu/a/cpu.cfs_period_us=100000

echo "$passed passed, $failed failed"
((failed == 0))
