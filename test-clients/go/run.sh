#!/usr/bin/env bash
# usage: run.sh DOCUMENT. Generates the client, compiles it and runs the journey.
set -euo pipefail
cd "$(dirname "$0")"
PATH=$PATH:/usr/local/go/bin
mkdir -p generated
.tools/oapi-codegen -config oapi-codegen.yaml "$1"
wc -c generated/*
go build -o .tools/journey .
.tools/journey
