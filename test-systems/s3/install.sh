#!/usr/bin/env bash
# Installs a server that serves a folder over S3, for tests of files in a bucket. Needs Go; does nothing if it is
# already installed.
set -euo pipefail
bin=${GOBIN:-$HOME/go/bin}
[ -x "$bin/versitygw" ] || GOBIN=$bin go install github.com/versity/versitygw/cmd/versitygw@v1.8.0
