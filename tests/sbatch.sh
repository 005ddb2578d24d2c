#!/usr/bin/env bash
# sbatch.sh: harness/tools/labs.sbatch in a Slurm on this machine (as root; Debian: apt-get install
# slurm-wlm munge), for lab 4 and without a GPU. Takes about as long as ./run_all.sh --labs 4.
set -euo pipefail
if [[ -z ${SLURM_CONF:-} ]]; then
    exec "$(dirname "${BASH_SOURCE[0]}")/local_slurm.sh" "${BASH_SOURCE[0]}"
fi

work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
git clone -q --depth=1 "file://$(realpath "$(dirname "${BASH_SOURCE[0]}")/..")" "$work/clone"
cd "$work/clone"
node=(--gpus=0 --mem=0 --cpus-per-task=2) # the nodes of local_slurm.sh have two CPUs and no GPU

fail() { printf 'FAILED: %s\n' "$*" && cat labs-*.log && exit 1; }

# refused WHAT ARGUMENT...: the job ends with exit code 2 and one line.
refused() {
    local what=$1 code=0
    shift
    sbatch --wait -Q "${node[@]}" -o refused.log harness/tools/labs.sbatch "$@" || code=$?
    [[ $code == 2 && $(wc -l <refused.log) == 1 ]] || fail "$what: exit code $code, $(cat refused.log)"
    echo "passed: $what: $(cat refused.log)"
}
export LABS_BENCH_ARGS=ladder LABS_RANDOM_MS=${LABS_RANDOM_MS:-100}

refused "no lab"
refused "a lab that there is not" 9
refused "an option that run_all.sh does not have" 4 --fast

sbatch --wait -Q "${node[@]}" harness/tools/labs.sbatch 4 || fail "exit code $?"
for line in 'no GPU answers' '| seq |' '| omp_best |' 'The report is results/slurm-lab4-'; do
    grep -qF "$line" labs-*.log || fail "the log has no line with '$line'"
done
[[ -s $(sed -n 's/^The report is //p' labs-*.log) ]] || fail "there is no report"
echo "passed: the job of lab 4; its log ends:"
sed -n '/^=== The machine/,$p' labs-*.log
