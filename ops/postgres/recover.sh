#!/bin/sh
# A base backup and the archive behind it, laid out so that PostgreSQL, started on it, goes on to a moment and stops there:
#   sh ops/postgres/recover.sh <base backup> <archive> '2026-11-22 14:05:00+00' <data folder that is not there yet>
# Run it as the user PostgreSQL runs as. See docs/operations.md, “To a moment”.
set -eu
[ $# -eq 4 ] || { sed -n '2,4s/^# *//p' "$0" >&2; exit 1; }
base=$1 archive=$2 moment=$3 data=$4
[ -f "$base/backup_label" ] || { echo "$base is no base backup: it has no backup_label." >&2; exit 1; }
[ -d "$archive" ] || { echo "$archive is no folder." >&2; exit 1; }
[ ! -e "$data" ] || { echo "$data is there already: name a folder that is not there yet." >&2; exit 1; }
cp -R "$base" "$data"
chmod 0700 "$data"
cat >> "$data/postgresql.auto.conf" <<END
restore_command = 'cp "$archive/%f" "%p"'
recovery_target_time = '$moment'
recovery_target_action = 'promote'
END
touch "$data/recovery.signal"
echo "Start PostgreSQL on $data: it takes writes once it has come to $moment."
