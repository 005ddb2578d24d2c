#!/usr/bin/env bash
# install_packages.sh PACKAGE...: installs Debian packages, as root or with sudo. While another apt
# works, it waits, for ten minutes at most.
set -euo pipefail
limit=600
# dpkg need not wait for the disk with each file.
apt=(env LC_ALL=C DEBIAN_FRONTEND=noninteractive apt-get -qq -o DPkg::Lock::Timeout="$limit"
    -o Dpkg::Options::=--force-unsafe-io)
((EUID == 0)) || apt=(sudo "${apt[@]}")

# `apt-get update` does not heed that limit.
until said=$("${apt[@]}" update 2>&1); do
    if [[ $said != *"Could not get lock"* ]] || ((SECONDS >= limit)); then
        printf '%s\n' "$said" >&2
        exit 1
    fi
    sleep 2
done
"${apt[@]}" install -y --no-install-recommends "$@" >/dev/null
