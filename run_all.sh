#!/bin/sh
# Builds, tests and measures every lab: starts driver/__main__.py. See ./run_all.sh --help.
set -eu
started=$(date +%s)
root=$(dirname "$(readlink -f "$0")")

# Without what PYTHONPATH and its kin would change, and in UTF-8.
python=$(command -v python3 || echo python3)
can_run() {
    "$python" -E -c 'import sys, jinja2; sys.exit(sys.version_info < (3, 10))' 2>/dev/null
}
install() {
    echo "[   0 s] packages: installing python3 python3-jinja2"
    set -- env LC_ALL=C DEBIAN_FRONTEND=noninteractive apt-get -qq -o DPkg::Lock::Timeout=600
    [ "$(id -u)" = 0 ] || set -- sudo "$@"
    "$@" update && "$@" install -y --no-install-recommends python3 python3-jinja2 >/dev/null
}
how="to install them, as root: apt-get install python3 python3-jinja2 (or run this again with --install-deps)"
case $python in
/usr/bin/python3 | /bin/python3 | python3)
    case " $* " in *' --install-deps '*) can_run || install || true ;; esac
    ;;
*) how="to install it: $python -m pip install jinja2" ;; # not apt-get's
esac
can_run || {
    echo "run_all.sh: needs Python 3.10 or newer with Jinja2, and $python is older or lacks it; $how" >&2
    exit 2
}
export LABS_CALLER="$PWD" LABS_STARTED="$started"
cd "$root"
exec "$python" -E -X utf8 -m driver "$@"
