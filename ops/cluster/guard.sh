#!/bin/sh
# Beside each node: a primary whose disk is nearly full hands over to a standby. PostgreSQL only refuses what needs
# room and runs on, so Patroni sees nothing wrong with it.
#   sh guard.sh <patroni.yml> <name of the node> <its folder> <megabytes that have to be free> [patronictl]
# See docs/failing-over.md, “A cluster that fails over”.
set -eu
[ $# -ge 4 ] || { sed -n '2,5s/^# *//p' "$0" >&2; exit 1; }
file=$1 name=$2 folder=$3 least=$4 ctl=${5:-patronictl}
while sleep 2; do
  free=$(($(df --output=avail "$folder" | tail -n 1) / 1024))
  [ "$free" -lt "$least" ] || continue
  echo "$(date) $name has $free MB left"
  # Refused, where it is not the primary or nobody can take its place. Then it waits, so that two full nodes do not
  # hand over to each other all the time.
  "$ctl" -c "$file" switchover --force --leader "$name" healthfund || true
  sleep 30
done
