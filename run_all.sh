#!/bin/sh
# Builds, tests and measures every lab: starts driver/__main__.py. See ./run_all.sh --help.
set -eu
started=$(date +%s)
root=$(dirname "$(readlink -f "$0")")

can_run() { python3 -c 'import sys, jinja2; sys.exit(sys.version_info < (3, 10))' 2>/dev/null; }
install() {
    echo "[   0 s] packages: installing python3 python3-jinja2"
    set -- env LC_ALL=C DEBIAN_FRONTEND=noninteractive apt-get -qq -o DPkg::Lock::Timeout=600
    [ "$(id -u)" = 0 ] || set -- sudo "$@"
    "$@" update && "$@" install -y --no-install-recommends python3 python3-jinja2 >/dev/null
}
case " $* " in *' --install-deps '*) can_run || install || true ;; esac
can_run || {
    echo "run_all.sh: needs Python 3.10 or newer with Jinja2; to install them, as root:" \
        "apt-get install python3 python3-jinja2 (or run this again with --install-deps)" >&2
    exit 2
}
export LABS_CALLER="$PWD" LABS_STARTED="$started"
cd "$root"
exec python3 -m driver "$@"
