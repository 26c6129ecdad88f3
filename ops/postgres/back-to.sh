#!/bin/sh
# The newest base backup of before a moment, laid out so that PostgreSQL, started on it, goes on to that moment and stops:
#   sh ops/postgres/back-to.sh '2026-11-22 14:05:00+00' <data folder that is not there yet>
# Run it as the user PostgreSQL runs as. See docs/backups.md, “To a moment”.
set -eu
[ $# -eq 2 ] || { sed -n '2,4s/^# *//p' "$0" >&2; exit 1; }
moment=$1 data=$2
[ ! -e "$data" ] || { echo "$data is there already: name a folder that is not there yet." >&2; exit 1; }
mkdir -m 0700 "$data"
# The restored server archives nothing: the archive may still be needed for another moment.
pgbackrest --stanza=healthfund --pg1-path="$data" --type=time --target="$moment" \
  --target-action=promote --archive-mode=off restore
echo "Start PostgreSQL on $data: it takes writes once it has come to $moment."
