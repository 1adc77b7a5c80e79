#!/usr/bin/env bash
# Builds the generator of the version in go.mod. Needs Go; quick when it is there.
set -euo pipefail
cd "$(dirname "$0")"
# Where its own installer puts it, which not every PATH has.
PATH=$PATH:/usr/local/go/bin
command -v go >/dev/null || { echo 'test-clients/go needs Go, which is not installed.' >&2; exit 1; }
GOBIN=$PWD/.tools go install tool
