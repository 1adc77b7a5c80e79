#!/usr/bin/env bash
# Brings a server that speaks S3 over a folder, for tests of files in a bucket. Needs Go; does nothing when it is there.
set -euo pipefail
bin=${GOBIN:-$HOME/go/bin}
[ -x "$bin/versitygw" ] || GOBIN=$bin go install github.com/versity/versitygw/cmd/versitygw@v1.8.0
