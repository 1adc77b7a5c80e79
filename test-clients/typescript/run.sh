#!/usr/bin/env bash
# usage: run.sh DOCUMENT. Generates the client, checks its types and runs the journey.
set -euo pipefail
cd "$(dirname "$0")"
DOCUMENT=$1 node_modules/.bin/openapi-ts
wc -c generated/*.ts generated/*/*.ts
node_modules/.bin/tsc
node journey.ts
