#!/usr/bin/env bash
# arm64.sh [LAB...]: compiles labs, harness, emulation and tests for arm64 and runs, in the emulator
# for user programs, each lab's tests of the CPU's variants and tests of an emulated kernel. Needs
# g++-aarch64-linux-gnu, qemu-user-static and apt-get, which downloads the libraries as packages for
# arm64; they are unpacked, not installed. Everything is in build-arm64/.
set -euo pipefail
cd "$(dirname "${BASH_SOURCE[0]}")/.."
# shellcheck source=tests/in_shards.sh
. tests/in_shards.sh
export LABS_RANDOM_MS=200
labs=("$@")
((${#labs[@]})) || labs=(lab*-*/)
work=$PWD/build-arm64
sysroot=$work/sysroot

# apt-get for arm64, apart from this machine's packages.
apt_for_arm64() {
    apt-get -qq -o APT::Architecture=arm64 -o APT::Architectures=arm64 -o Debug::NoLocking=1 \
        -o Dir::State::Lists="$work/lists" -o Dir::State::status="$work/status" \
        -o Dir::Cache::archives="$work/archives" -o Dir::Cache::pkgcache= \
        -o Dir::Cache::srcpkgcache= "$@"
}

# The compiler has a libc and headers of its own.
make_sysroot() {
    local package
    mkdir -p "$work"/{lists,archives}/partial
    : >"$work/status"
    apt_for_arm64 update
    apt_for_arm64 install --yes --no-install-recommends --download-only libopencv-imgcodecs-dev \
        libfmt-dev libgmock-dev libboost-context1.74-dev libcli11-dev nlohmann-json3-dev libgomp1
    rm -rf "$sysroot.new"
    for package in "$work"/archives/*.deb; do
        case ${package##*/} in
            libc6-dev_* | linux-libc-dev_* | libstdc++-*-dev_* | libgcc-*-dev_*) ;;
            *) dpkg-deb -x "$package" "$sysroot.new" ;;
        esac
    done
    mv "$sysroot.new" "$sysroot"
    rm -rf "$work/archives" "$work/lists"
}

# The kernel of the lab's last CUDA task.
kernel_of() {
    python3 -c 'import json, sys
tasks = json.load(open(sys.argv[1]))["tasks"]
print([name for task in tasks if (name := task.get("variant", "")).startswith("cuda_")][-1])
' "$1/assignment/points.json"
}

# test_lab FOLDER
test_lab() {
    local build=$work/${1%/} kernel tests
    kernel=$(kernel_of "$1")
    cmake -S "$1" -B "$build" -DCMAKE_TOOLCHAIN_FILE="$PWD/harness/cmake/arm64.cmake" \
        -DLABS_SYSROOT="$sysroot" -DLABS_CUDA=EMULATE -DLABS_WERROR=OFF \
        -DLABS_BACKTRACE="$(aarch64-linux-gnu-g++ -print-file-name=libbacktrace.a)" >"$build.log"
    tests=$(sed -n 's/.*"program": "\([^"]*\)".*/\1_tests/p' "$build/facts.json")
    cmake --build "$build" -j "$(nproc)" --target "$tests" >>"$build.log" 2>&1 ||
        { tail -n 30 "$build.log" && return 1; }
    # Not those that start other programs, nor those that are long in an emulator.
    local left_out='*Cli*:*Bands*:*/cuda_*:*/peer_*:*Versions*:*Fault*:*Experiments*'
    left_out+=':*.large*:*.tall*:*.long_rows*:*.thresholds/*:*.every_column_counts/*'
    left_out+=':*.around_powers_of_two/*'
    echo "The CPU's variants:"
    in_shards "$build/$tests" "-$left_out" "${run[@]}"
    echo "An emulated kernel, $kernel:"
    in_shards "$build/$tests" "*.sizes/$kernel:*.block_sizes/$kernel:*.random/$kernel" \
        "${run[@]}"
}

mkdir -p "$work"
[[ -d $sysroot ]] || make_sysroot
libraries=$sysroot/usr/lib/aarch64-linux-gnu
run=(qemu-aarch64-static -L "$sysroot"
    -E "LD_LIBRARY_PATH=$libraries:$libraries/blas:$libraries/lapack")
for lab in "${labs[@]}"; do
    echo "--- ${lab%/} on arm64"
    [[ -e $lab/assignment/points.json ]] ||
        { echo "arm64.sh: there is no lab '$lab'" >&2 && exit 2; }
    test_lab "$lab"
done
