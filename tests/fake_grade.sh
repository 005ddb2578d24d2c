#!/usr/bin/env bash
# Stands for grading/grade in tests/class.sh. The verdict is right if expect.json, which is in the
# submission, allows that first, and otherwise wrong. What is right has the points of the first task
# in the rules, and for its speed all or none. A grading takes FAKE_SECONDS (0.2) and has a seed of
# its own; that of speeds fails if FAKE_SPEED_FAILS is set. With --keep alone, points are counted for
# what is there.
set -euo pipefail
[[ $1 == check ]] || exit 0 # check-rules
submission=$2 out='' lab='' keep='' times=1
while (($#)); do
    case $1 in
        --out) out=$2 ;;
        --lab) lab=$2 ;;
        --keep) keep=$2 ;;
        --task) keep='' ;; # which comes first
        tests) times=0 ;;  # the value of --part
        --tested) [[ -f $2/results.json ]] || exit 2 ;;
    esac
    [[ $1 != --task ]] || shift 3
    shift
done
if [[ -n $keep ]]; then
    facts=$(jq .extra_data "$keep/results.json")
else
    sleep "${FAKE_SECONDS:-0.2}"
    ((times == 0)) || [[ -z ${FAKE_SPEED_FAILS:-} ]] || exit 3
    verdict=right speedup=null
    file=$(find "$submission" -maxdepth 1 -type f -name '*omp_*.cpp' | sort | head -n 1)
    [[ -n $file && $(jq -r '.verdicts.omp_mine // ["right"] | .[0]' "$submission/expect.json") == right ]] ||
        verdict=wrong
    if ((times)) && [[ $verdict == right ]]; then
        speedup=$((${#file} % 5 + 1)).5
    fi
    name=${file##*/}
    facts=$(jq -n '{seed: $ARGS.positional[0], variants: [{name: $ARGS.positional[1], reason: "fake",
        verdict: $ARGS.positional[2], speedup: ($ARGS.positional[3] | fromjson)}]}' \
        --args "$(od -An -N8 -tx8 /dev/urandom)" "${name%.cpp}" "$verdict" "$speedup")
fi
mkdir -p "$out"
echo '<html><body>feedback</body></html>' >"$out/feedback.html"
jq --argjson facts "$facts" '
    def sum: map(.points) | add // 0;
    $facts.variants[0] as $variant
    | [.tasks[] | select(.bonus | not) | {name: .id, extra_data: {task: .id}} as $line
       | ([.tests[]?] | sum) as $tests | (.speed.points // ([.counters[]?] | sum)) as $speed
       | (if .id != "A" or $variant.verdict != "right" then 0
          elif $variant.speedup and $variant.speedup >= .speed.full then $tests + $speed
          else $tests end) as $score
       | $line + {status: "", score: $score, max_score: ($tests + $speed + ([.answers[]?] | sum))},
         (select(.by_hand) | $line + {score: 0, max_score: .by_hand})]
    | {score: (map(.score) | add), tests: ., extra_data: $facts}' \
    lab"$lab"-*/assignment/points.json >"$out/results.json"
