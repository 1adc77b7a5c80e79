#!/usr/bin/env bash
# Brings openapi-generator and the libraries that its Python clients import; does nothing when they are there. Needs Java 11
# and Python 3.10 or newer.
set -euo pipefail
cd "$(dirname "$0")"
version=7.25.0
sum=41ce4f6b07f196676439d710759fa1ced7a08066d06ff1bf314681470289efae
for need in java python3; do
  command -v "$need" >/dev/null || { echo "test-clients/python needs $need, which is not installed." >&2; exit 1; }
done
mkdir -p .tools
jar=.tools/openapi-generator.jar
if ! echo "$sum  $jar" | sha256sum --check --status 2>/dev/null; then
  curl -fsSL --retry 3 -o "$jar" \
    "https://repo1.maven.org/maven2/org/openapitools/openapi-generator-cli/$version/openapi-generator-cli-$version.jar"
  echo "$sum  $jar" | sha256sum --check --quiet
fi
cmp -s requirements.txt .tools/venv/of-requirements.txt && exit
python3 -m venv .tools/venv
.tools/venv/bin/pip install --quiet --disable-pip-version-check --no-deps -r requirements.txt
cp requirements.txt .tools/venv/of-requirements.txt
