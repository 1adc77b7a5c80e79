#!/usr/bin/env bash
# Installs the generator and the compiler of the versions in package-lock.json; does nothing when they are there.
set -euo pipefail
cd "$(dirname "$0")"
cmp -s package-lock.json node_modules/.of-lockfile && exit
npm ci --silent
cp package-lock.json node_modules/.of-lockfile
