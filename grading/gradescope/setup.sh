#!/usr/bin/env bash
# Runs once, as root, when Gradescope makes the image: installs what is needed, and grades an empty
# folder, which builds the judge and tries the sandbox. So no student waits for it.
set -euo pipefail
export LABS_GRADE_MODE=gradescope
source=/autograder/source
export DEBIAN_FRONTEND=noninteractive
command -v python3 >/dev/null || { apt-get -qq update && apt-get -qq install -y python3 >/dev/null; }
cd "$source/labs"
python3 -m driver.tools.packages --only --install cmake g++ ninja-build # to see what is missing
python3 -m driver.tools.packages --grading --install
hidden=()
[[ ! -d $source/hidden ]] || hidden=(--hidden "$source/hidden")
empty=$(mktemp -d)
CMAKE_GENERATOR=Ninja "$source/labs/grading/grade" check "$empty" --lab "$(cat "$source/lab")" \
    --out "$empty/out" "${hidden[@]}"
rm -rf "$empty"
# Students' processes have another user: they may not look here, wherever the sandbox ends.
chmod -R go= "$source"
