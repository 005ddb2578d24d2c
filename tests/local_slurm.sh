#!/usr/bin/env bash
# local_slurm.sh COMMAND...: runs COMMAND with a Slurm of four nodes on this machine, as root, and
# ends it. (Debian: apt-get install slurm-wlm munge)
set -euo pipefail
folder=$(mktemp -d /tmp/slurm.XXXXXX)
chmod 755 "$folder"
host=$(hostname -s)
nodes=(n1 n2 n3 n4) pids=()
stop() {
    ((${#pids[@]} == 0)) || kill "${pids[@]}" 2>/dev/null || true
    wait
    rm -rf "$folder"
}
trap stop EXIT

# A key and a munged of its own: those of the machine stay as they are.
mkdir -m 700 "$folder/munge"
head -c 1024 /dev/urandom >"$folder/munge/key" && chmod 400 "$folder/munge/key"
socket=$folder/munge.socket
munged --foreground --force --socket="$socket" --key-file="$folder/munge/key" \
    --pid-file="$folder/munge/pid" --seed-file="$folder/munge/seed" \
    --log-file="$folder/munge/log" >>"$folder/log" 2>&1 &
pids+=($!)

cat >"$folder/slurm.conf" <<END
ClusterName=labs
SlurmctldHost=$host
SlurmctldPort=17800
SlurmUser=root
SlurmdUser=root
AuthType=auth/munge
AuthInfo=socket=$socket
CredType=cred/munge
StateSaveLocation=$folder/state
SlurmdSpoolDir=$folder/spool.%n
SlurmctldPidFile=$folder/slurmctld.pid
SlurmdPidFile=$folder/slurmd.%n.pid
SlurmctldLogFile=$folder/slurmctld.log
SlurmdLogFile=$folder/slurmd.%n.log
ProctrackType=proctrack/linuxproc
TaskPlugin=task/none
SchedulerType=sched/backfill
SelectType=select/cons_tres
SelectTypeParameters=CR_CPU
SchedulerParameters=sched_min_interval=100000,batch_sched_delay=0
MaxArraySize=10001
ReturnToService=2
SlurmdTimeout=30
MpiDefault=none
$(for i in "${!nodes[@]}"; do
    echo "NodeName=${nodes[i]} NodeHostname=$host NodeAddr=127.0.0.1 Port=$((17801 + i)) CPUs=2"
done)
PartitionName=all Nodes=n[1-4] Default=YES State=UP MaxTime=INFINITE OverSubscribe=NO
END
export SLURM_CONF=$folder/slurm.conf
mkdir "$folder/state"
for _ in {1..50}; do
    [[ ! -S $socket ]] || break
    sleep 0.1
done
slurmctld -D >>"$folder/log" 2>&1 &
pids+=($!)
for node in "${nodes[@]}"; do
    mkdir "$folder/spool.$node"
    slurmd -D -N "$node" >>"$folder/log" 2>&1 &
    pids+=($!)
done
for _ in {1..100}; do
    (($(sinfo -h -N -t idle 2>/dev/null | wc -l) < ${#nodes[@]})) || break
    sleep 0.3
done
sinfo
"$@"
