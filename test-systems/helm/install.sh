#!/usr/bin/env bash
# Builds Helm, which checks the chart in deploy/helm, into .tools. Needs Go; does nothing if it is already there.
set -euo pipefail
tools=$(cd "$(dirname "$0")/../.." && pwd)/.tools
[ -x "$tools/helm" ] || GOBIN=$tools go install helm.sh/helm/v3/cmd/helm@v3.18.6
