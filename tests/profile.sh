#!/usr/bin/env bash
# Tests harness/tools/profile.sh with a recorded output of Nsight Compute (tests/profile/).
set -uo pipefail # not -e: a check that fails is counted
cd "$(dirname "${BASH_SOURCE[0]}")/.." || exit 2
scratch=$(mktemp -d)
trap 'rm -rf "$scratch"' EXIT

cp tests/profile/* "$scratch"
echo 'echo "NVIDIA H200"' >"$scratch/nvidia-smi"
# Two kernels; the longer one is launched twice, the second time in 20 us.
{
    sed 's/upscale_segment<3, 4, 0>/first/; s/166,560/10,000/' tests/profile/cuda_best.csv
    for ns in 90,000 20,000; do
        sed -n "3s/upscale_segment<3, 4, 0>/second/; 3s/166,560/$ns/p" tests/profile/cuda_best.csv
    done
} >"$scratch/cuda_two.csv"
cat >"$scratch/lab" <<'PROGRAM'
#!/usr/bin/env bash
printf '%s\n' 'cuda_sliding  cuda' 'cuda_best  cuda' 'cuda_two  cuda' 'omp_rows  omp'
[[ -z ${FORBIDDEN:-} ]] || echo 'cuda_forbidden  cuda'
PROGRAM
chmod +x "$scratch"/{ncu,nvidia-smi,lab}
export PATH=$scratch:$PATH

failed=0
# check WHAT EXIT_CODE PATTERN ARGUMENTS...: the pattern is in what profile.sh prints.
check() {
    local what=$1 code=$2 pattern=$3 said
    shift 3
    said=$(harness/tools/profile.sh "$@" 2>&1)
    if [[ $? == "$code" ]] && grep -qE -- "$pattern" <<<"$said"; then
        echo "passed: $what"
    else
        ((++failed)) && printf 'FAILED: %s\n%s\n' "$what" "$said"
    fi
}
beside=("$scratch/lab" cuda_sliding cuda_best)
check "time in us and ratio" 0 '^time, us +609 +167 +3\.66$' "${beside[@]}"
check "thousands" 0 '^instructions +233088840 +123141288 +1\.89$' "${beside[@]}"
check "a counter that ncu lacks" 0 '^DRAM, bytes +- +- +-$' "${beside[@]}"
check "a division by zero" 0 '^stall: barrier +1\.09 +0 +-$' "$scratch/lab" cuda_best cuda_sliding
check "longest stall of the first" 0 '^stall: long scoreboard +1\.35 +0\.25 +5\.40$' "${beside[@]}"
check "names without arguments" 0 '^kernel +upscale_sliding +upscale_segment$' "${beside[@]}"
check "last launch of a kernel" 0 '^time, us +20 +167 ' "$scratch/lab" cuda_two cuda_best
check "time of all kernels" 0 '^all kernels, us +30 +167 ' "$scratch/lab" cuda_two cuda_best
check "an unknown variant" 2 "^profile.sh: 'omp_rows' is not a CUDA variant" \
    "$scratch/lab" cuda_best omp_rows
check "no program" 2 'there is no program' "$scratch/none" cuda_best cuda_two
check "usage" 2 '^usage' "$scratch/lab"
FORBIDDEN=yes check "no permission" 77 '^profile: cuda_forbidden: .*ERR_NVGPUCTRPERM' \
    "$scratch/lab" cuda_forbidden cuda_best
check "CSV" 0 '^profile: 4 kernels in' "$scratch/lab" "$scratch/csv"
row='^cuda_best,upscale_segment,,,,,,27\.54,96,0\.25,0\.16656,,,,0,"NVIDIA H200",'
grep -qE "$row" "$scratch/csv/profile.csv" || { ((++failed)) && echo "FAILED: no row $row"; }
mapfile -t fields < <(head -n 2 "$scratch/csv/profile.csv" | awk -F, '{ print NF }')
((fields[0] == fields[1])) || { ((++failed)) && echo "FAILED: ${fields[*]} fields"; }
((failed == 0))
