#!/usr/bin/env bash
# Installs everything that run_all.sh needs, on a bare Debian or Ubuntu, as root. The container files
# call it; tests/bare_root.sh tests it without a container.
set -euo pipefail
cd "$(dirname "${BASH_SOURCE[0]}")/.."

export DEBIAN_FRONTEND=noninteractive
apt-get -qq update
apt-get -qq install -y --no-install-recommends python3 python3-jinja2 >/dev/null
# The last ones are for the figures and for a clone inside of the container.
python3 -m driver.tools.packages --install gnuplot-nox ca-certificates git
rm -rf /var/lib/apt/lists/*
