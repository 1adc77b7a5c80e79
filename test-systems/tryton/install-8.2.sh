#!/usr/bin/env bash
# Installs Tryton 8.2 and the modules that the tests use from PyPI with fixed versions into .tools/tryton-8.2. Needs Python 3.11 or
# newer; does nothing if they are already installed.
set -euo pipefail
cd "$(dirname "$0")/../.."
venv=.tools/tryton-8.2
pinned=test-systems/tryton/requirements.txt
cmp -s "$pinned" "$venv/requirements.txt" && exit 0
rm -rf "$venv"
python3 -m venv "$venv"
"$venv/bin/pip" install --quiet --disable-pip-version-check --requirement "$pinned"
cp "$pinned" "$venv/"
