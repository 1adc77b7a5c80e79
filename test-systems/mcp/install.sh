#!/usr/bin/env bash
# Installs the conformance suite of the Model Context Protocol in the version of package-lock.json; does nothing if it is already
# installed. It needs Node 22 or newer.
set -euo pipefail
cd "$(dirname "$0")"
cmp -s package-lock.json node_modules/.of-lockfile && exit
npm ci --silent
cp package-lock.json node_modules/.of-lockfile
