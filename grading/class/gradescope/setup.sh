#!/usr/bin/env bash
# Runs once, as root, when Gradescope makes the image: installs what is needed, and builds the
# judge, so that no student waits for it.
set -euo pipefail
export DEBIAN_FRONTEND=noninteractive
source=/autograder/source
apt-get -qq update
apt-get -qq install -y --no-install-recommends cmake g++ ninja-build jq
mapfile -t packages < <("$source/labs/grading/missing_packages.sh")
((${#packages[@]} == 0)) || apt-get -qq install -y --no-install-recommends "${packages[@]}"
"$source/labs/grading/grade" build --lab "$(cat "$source/lab")"
# Students' processes have another user: they may not look here, wherever the sandbox ends.
chmod -R go= "$source"
