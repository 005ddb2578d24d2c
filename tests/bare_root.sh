#!/usr/bin/env bash
# bare_root.sh [--nvcc] [SUITE] container|COMMAND...: tries what a user does on a fresh
# machine, as root, in a temporary root folder that debootstrap makes. The last commit is in /labs.
#
#     container   installs what the container files install; then run_all.sh must find nothing to
#                 install, build lab 1, and draw a figure
#     COMMAND...  any other command, executed in /labs
#
# SUITE is bookworm (Debian 12, the default), trixie, jammy (Ubuntu 22.04) or noble (24.04).
# --nvcc makes the CUDA Toolkit in /usr/local/cuda visible in the root. From the environment:
# LABS_BARE_ROOT, a folder that debootstrap made, which is copied instead of making another one;
# variables that begin with LABS_, CUDA or CMAKE_ reach the command.
set -euo pipefail
cd "$(dirname "${BASH_SOURCE[0]}")/.."
die() { printf 'bare_root.sh: %s\n' "$*" >&2 && exit 2; }

nvcc='' suite=bookworm
[[ ${1:-} != --nvcc ]] || { nvcc=/usr/local/cuda && shift; }
case ${1:-} in bookworm | trixie | jammy | noble) suite=$1 && shift ;; esac
(($#)) || die "usage: tests/bare_root.sh [--nvcc] [SUITE] container|COMMAND..."
((EUID == 0)) || die "debootstrap and chroot need root"
command -v debootstrap >/dev/null || die "missing: debootstrap; to install it: apt-get install debootstrap"
[[ $suite != @(jammy|noble) || -e /usr/share/keyrings/ubuntu-archive-keyring.gpg ]] ||
    die "missing: Ubuntu's keys, which its package ubuntu-keyring has"
[[ -z $nvcc || -x $nvcc/bin/nvcc ]] || die "--nvcc: there is no $nvcc/bin/nvcc"

work=$(mktemp -d "${TMPDIR:-/tmp}/bare_root.XXXXXX")
trap 'rm -rf "$work"' EXIT

# make_root FOLDER
make_root() {
    local options=(--variant=minbase) script=()
    case $suite in
        jammy | noble) # `universe` has most of the packages; all of Ubuntu's suites share a script
            options+=("--components=main,universe")
            script=('' gutsy)
            ;;
    esac
    if [[ -n ${LABS_BARE_ROOT:-} ]]; then
        cp -a "$LABS_BARE_ROOT" "$1"
    elif ! debootstrap "${options[@]}" "$suite" "$1" "${script[@]}" >"$work/debootstrap.log" 2>&1; then
        tail -n 3 "$work/debootstrap.log" >&2
        die "debootstrap could not make a root of $suite"
    fi
    cp /etc/resolv.conf "$1/etc/"
    git clone -q --depth=1 "file://$PWD" "$1/labs"
    [[ -z $nvcc ]] || mkdir -p "$1$nvcc"
}

# in_root FOLDER COMMAND...: the mounts end with the command.
in_root() {
    local root=$1 passed=()
    shift
    mapfile -t passed < <(env | grep -E '^(LABS|CUDA|CMAKE)[A-Z_]*=')
    # shellcheck disable=SC2016 # the inner shell expands these
    unshare --mount --pid --fork bash -ec '
        root=$1 nvcc=$2
        shift 2
        mount -t proc proc "$root/proc"
        mount --rbind /dev "$root/dev"
        mount --rbind /sys "$root/sys" # OpenMP looks for cores there
        [[ -z $nvcc ]] || mount --bind "$(realpath "$nvcc")" "$root$nvcc"
        exec chroot "$root" env -i PATH=/usr/sbin:/usr/bin:/sbin:/bin HOME=/root LANG=C.UTF-8 "$@"' \
        bash "$root" "$nvcc" "${passed[@]}" bash -c 'cd /labs && exec "$@"' bash "$@"
}

container() {
    make_root "$work/root"
    SECONDS=0
    in_root "$work/root" containers/install.sh
    echo "installed in $SECONDS s"
    # shellcheck disable=SC2016
    in_root "$work/root" bash -euc '
        missing=$(python3 -m driver.tools.packages)
        [[ -z $missing ]] || { echo "still missing: $missing" && exit 1; }
        cmake -S lab1-convolution -B /tmp/build -DBUILD_TESTING=OFF >/tmp/configure.log ||
            { cat /tmp/configure.log && exit 1; }
        cmake --build /tmp/build -j "$(nproc)" --target convolution >/tmp/build.log ||
            { tail -n 30 /tmp/build.log && exit 1; }
        for variant in seq omp_best cuda_per_channel; do
            /tmp/build/convolution run scene:landscape:71x53 --variant $variant --verify \
                --output /tmp/out.png
        done
        mkdir /tmp/csv
        cp reports/lab1-convolution/h200/ladder.csv /tmp/csv # times measured here may be too noisy
        python3 -m driver.report.figures draw lab1-convolution /tmp/csv /tmp/csv
        test -s /tmp/csv/staircase-gpu.svg'
    echo "passed after $SECONDS s: $suite, the container files' installation"
}

if [[ $1 == container ]]; then
    container
else
    make_root "$work/root" && in_root "$work/root" "$@"
fi
