#!/usr/bin/env bash
# Stands for grading/grade in tests/class.sh. The verdict is right if expect.json, which is in the
# submission, allows that first, and otherwise wrong. A grading takes FAKE_SECONDS (0.2); that of
# speeds fails if FAKE_SPEED_FAILS is set.
set -euo pipefail
[[ $1 == check ]] || exit 0 # check-rules
submission=$2 out='' times=1
while (($#)); do
    case $1 in
        --out) out=$2 ;;
        tests) times=0 ;; # the value of --part
        --tested) [[ -f $2/results.json ]] || exit 2 ;;
    esac
    shift
done
sleep "${FAKE_SECONDS:-0.2}"
((times == 0)) || [[ -z ${FAKE_SPEED_FAILS:-} ]] || exit 3
verdict=right speedup=null score=10
file=$(find "$submission" -maxdepth 1 -type f -name '*omp_*.cpp' | sort | head -n 1)
[[ -n $file && $(jq -r '.verdicts.omp_mine // ["right"] | .[0]' "$submission/expect.json") == right ]] ||
    { verdict=wrong score=0; }
if ((times)) && [[ $verdict == right ]]; then
    speedup=$((${#file} % 5 + 1)).5
fi
name=${file##*/}
mkdir -p "$out"
echo '<html><body>feedback</body></html>' >"$out/feedback.html"
cat >"$out/results.json" <<END
{"score": $score, "tests": [{"name": "all", "score": $score, "max_score": 10}],
 "extra_data": {"variants": [{"name": "${name%.cpp}", "verdict": "$verdict", "reason": "fake",
                              "speedup": $speedup}]}}
END
