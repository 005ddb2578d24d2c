#!/usr/bin/env bash
# Installs everything that run_all.sh needs, on a bare Debian or Ubuntu, as root. The container files
# call it; tests/bare_root.sh tests it without a container.
set -euo pipefail
here=$(dirname "${BASH_SOURCE[0]}")

mapfile -t missing < <("$here/../harness/tools/missing_packages.sh")
# Those of the last line are for the figures and for a clone inside of the container.
"$here/../harness/tools/install_packages.sh" "${missing[@]}" gnuplot-nox python3 python3-jinja2 ca-certificates git
rm -rf /var/lib/apt/lists/*
