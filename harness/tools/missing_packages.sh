#!/usr/bin/env bash
# Prints the Debian packages that are needed to build and are missing or too old, one a line.
set -euo pipefail
here=$(dirname "${BASH_SOURCE[0]}")

at_least() { [[ $(printf '%s\n' "$1" "${2:-0}" | sort -V | head -n 1) == "$1" ]]; }
there() { command -v "$1" >/dev/null; }

missing=()
at_least 3.25 "$(cmake --version 2>/dev/null | sed -n '1s/.* //p')" || missing+=(cmake)
at_least 12 "$("${CXX:-g++}" -dumpfullversion -dumpversion 2>/dev/null)" || missing+=(g++)
there ninja || there make || missing+=(make ninja-build)
there python3 || missing+=(python3)
python3 -c 'import jinja2' 2>/dev/null || missing+=(python3-jinja2)

if there cmake && there "${CXX:-g++}" && { there ninja || there make; }; then
    folder=$(mktemp -d)
    trap 'rm -rf "$folder"' EXIT
    generator=()
    there make || generator=(-G Ninja)
    mapfile -t -O ${#missing[@]} missing < <(cmake -S "$here/probe" -B "$folder" "${generator[@]}" \
        2>&1 | sed -n 's/^missing //p')
else # nothing to ask CMake with
    for package in libopencv-imgcodecs-dev libgtest-dev libgmock-dev libcli11-dev \
        libfmt-dev nlohmann-json3-dev libboost-context-dev; do
        dpkg-query -W -f '${Status}\n' "$package" 2>/dev/null | grep -q 'ok installed' ||
            missing+=("$package")
    done
fi
((${#missing[@]} == 0)) || printf '%s\n' "${missing[@]}"
