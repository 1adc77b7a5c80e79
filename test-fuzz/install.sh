#!/usr/bin/env bash
# Installs Schemathesis with fixed versions into .tools/schemathesis. Needs Python 3.10 or newer; does nothing if they
# are already installed.
set -euo pipefail
cd "$(dirname "$0")/.."
venv=.tools/schemathesis
cmp -s test-fuzz/requirements.txt "$venv/requirements.txt" && exit 0
rm -rf "$venv"
python3 -m venv "$venv"
"$venv/bin/pip" install --quiet --disable-pip-version-check --requirement test-fuzz/requirements.txt
cp test-fuzz/requirements.txt "$venv/"
