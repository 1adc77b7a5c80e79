#!/usr/bin/env bash
# Installs the generator and the compiler in the versions of package-lock.json; does nothing if they are already installed.
set -euo pipefail
cd "$(dirname "$0")"
cmp -s package-lock.json node_modules/.of-lockfile && exit
npm ci --silent
cp package-lock.json node_modules/.of-lockfile
