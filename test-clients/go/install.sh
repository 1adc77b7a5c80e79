#!/usr/bin/env bash
# Builds the generator in the version that go.mod pins. Needs Go; quick if it is already built.
set -euo pipefail
cd "$(dirname "$0")"
# The folder that Go's installer uses, which is not in every PATH.
PATH=$PATH:/usr/local/go/bin
command -v go >/dev/null || { echo 'test-clients/go needs Go, which is not installed.' >&2; exit 1; }
GOBIN=$PWD/.tools go install tool
