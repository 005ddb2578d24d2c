#!/usr/bin/env bash
# Prints the Debian packages that grading needs and that are missing, one a line: those of the labs,
# and its own.
set -euo pipefail
here=$(dirname "${BASH_SOURCE[0]}")
"$here/../harness/tools/missing_packages.sh"
for package in bubblewrap libseccomp-dev libsodium-dev libpugixml-dev libutfcpp-dev libvalijson-dev \
    python3; do
    dpkg-query -W -f '${Status}\n' "$package" 2>/dev/null | grep -q 'ok installed' || echo "$package"
done
