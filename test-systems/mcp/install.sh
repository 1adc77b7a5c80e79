#!/usr/bin/env bash
# Installs the conformance suite and the inspector of the Model Context Protocol in the versions of package-lock.json; does nothing
# if they are already installed. They need Node 22.19 or newer.
set -euo pipefail
cd "$(dirname "$0")"
cmp -s package-lock.json node_modules/.of-lockfile && exit
npm ci --silent
cp package-lock.json node_modules/.of-lockfile
