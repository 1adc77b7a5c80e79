#!/usr/bin/env bash
# Installs openapi-generator and the libraries that its Python clients import; does nothing if they are already
# installed. Needs Java 11 and Python 3.10 or newer.
set -euo pipefail
cd "$(dirname "$0")"
for need in java python3; do
  command -v "$need" >/dev/null || { echo "test-clients/python needs $need, which is not installed." >&2; exit 1; }
done
cmp -s requirements.txt .tools/venv/of-requirements.txt && exit
python3 -m venv .tools/venv
.tools/venv/bin/pip install --quiet --disable-pip-version-check --no-deps -r requirements.txt
cp requirements.txt .tools/venv/of-requirements.txt
