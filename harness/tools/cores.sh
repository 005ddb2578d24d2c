#!/usr/bin/env bash
# cores.sh [ROOT]: prints how many processors this process may keep busy: those it may run on, at
# most the CPU quota of its control group and of the groups above, rounded up. OMP_NUM_THREADS and
# OMP_THREAD_LIMIT, which `nproc` obeys, are for the programs, not for their builds. ROOT holds proc/
# and sys/ (for tests).
set -euo pipefail
root=${1:-}
cores=$(env -u OMP_NUM_THREADS -u OMP_THREAD_LIMIT nproc)

# quota_of FOLDER: "QUOTA PERIOD" of a control group, of version 2 or 1, if it has one.
quota_of() {
    cat "$1/cpu.max" || paste -d ' ' "$1/cpu.cfs_quota_us" "$1/cpu.cfs_period_us" || true
} 2>/dev/null

# A container may see its own group as the root, while its name is that of outside: groups that are
# not there have no quota.
while IFS=: read -r _ controllers group; do
    case ,$controllers, in
        ,,) mounts=("$root/sys/fs/cgroup" "$root/sys/fs/cgroup/unified") ;;
        *,cpu,*) mounts=("$root/sys/fs/cgroup/cpu" "$root/sys/fs/cgroup/$controllers") ;;
        *) continue ;;
    esac
    group=${group%/}
    while :; do
        for mount in "${mounts[@]}"; do
            read -r quota period < <(quota_of "$mount$group") || continue
            [[ $quota =~ ^[1-9][0-9]*$ && $period =~ ^[1-9][0-9]*$ ]] || continue
            granted=$(((quota + period - 1) / period))
            ((granted >= cores)) || cores=$granted
        done
        [[ $group == */* ]] || break
        group=${group%/*}
    done
done < <(cat "$root/proc/self/cgroup" 2>/dev/null)
echo "$cores"
