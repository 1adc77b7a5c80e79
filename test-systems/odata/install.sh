#!/usr/bin/env bash
# Installs the OData server in the version of package-lock.json; does nothing if it is already installed.
set -euo pipefail
cd "$(dirname "$0")"
cmp -s package-lock.json node_modules/.of-lockfile && exit
npm ci --silent
cp package-lock.json node_modules/.of-lockfile
