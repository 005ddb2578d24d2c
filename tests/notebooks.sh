#!/usr/bin/env bash
# notebooks.sh: the notebooks in git are stripped of outputs, and their relative links lead somewhere.
# notebooks.sh NUMBER...: executes the notebooks of these labs from top to bottom, as Colab does: in
# an empty folder, with the address of this repository in the first cell. The first one clones the
# last commit. The executed notebooks stay in results/notebooks/.
#
# Both need jq. If there is no jupyter with nbconvert and ipykernel, a temporary environment gets one
# (python3-venv).
set -euo pipefail
cd "$(dirname "${BASH_SOURCE[0]}")/.."
repository=$PWD
fail() { printf 'FAILED: %s\n' "$*" >&2 && exit 1; }
command -v jq >/dev/null || { echo "missing: jq" >&2 && exit 2; }

for notebook in notebooks/*.ipynb; do
    jq -e '[.cells[] | select(.cell_type == "code") | .outputs == [] and .execution_count == null]
        | all' "$notebook" >/dev/null || fail "$notebook has outputs"
    while read -r link; do
        [[ -e notebooks/$link ]] || fail "$notebook: there is no $link"
    done < <(jq -r '.cells[].source | join("")' "$notebook" | grep -oP '\]\(\K[^)#]+')
    ! jq -r '.cells[].source[]' "$notebook" | grep -nP '.{101}' || fail "$notebook: over 100 columns"
done
echo "passed: $(printf '%s ' notebooks/*.ipynb)are stripped, and links lead to files"
(($#)) || exit 0

work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
if ! jupyter nbconvert --version >/dev/null 2>&1; then
    python3 -m venv "$work/venv"
    "$work/venv/bin/pip" install --quiet nbconvert ipykernel
    PATH=$work/venv/bin:$PATH
fi
mkdir -p "$work/colab" results

# outputs KIND FILE: how many outputs are of this kind, such as image/png.
outputs() { jq --arg kind "$1" '[.cells[].outputs[]?.data? | select(has($kind)?)] | length' "$2"; }

for number; do
    notebooks=(notebooks/lab"$number"-*.ipynb)
    [[ -e ${notebooks[0]} ]] || { echo "there is no notebook of lab $number" >&2 && exit 2; }
    name=${notebooks[0]##*/}
    sed "s|REPOSITORY = \\\\\"\\\\\"|REPOSITORY = \\\\\"file://$repository\\\\\"|" \
        "notebooks/$name" >"$work/colab/$name"
    grep -q "file://$repository" "$work/colab/$name" || fail "$name: no REPOSITORY to fill in"
    SECONDS=0
    jupyter nbconvert --log-level ERROR --to notebook --execute \
        --ExecutePreprocessor.timeout=3000 --output-dir results/notebooks "$work/colab/$name" ||
        fail "$name: a cell failed"
    executed=results/notebooks/$name
    for kind in image/png image/svg+xml; do
        (($(outputs $kind "$executed") > 0)) || fail "$executed shows no $kind"
    done
    echo "passed: $name, executed in $SECONDS s"
done
