#!/usr/bin/env bash
# usage: run.sh DOCUMENT. Generates the client, compiles every file of it and runs the journey.
set -euo pipefail
cd "$(dirname "$0")"
rm -rf generated
log=.tools/generator.log
.tools/venv/bin/openapi-generator-cli generate -c openapi-generator.yaml -i "$1" -o generated >"$log" 2>&1 || { cat "$log" >&2; exit 1; }
du -sb generated/unified_api
.tools/venv/bin/python -m compileall -q -j 0 generated/unified_api
PYTHONPATH=generated .tools/venv/bin/python journey.py
