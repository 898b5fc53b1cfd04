#!/bin/sh
# Runs the whole training chain on a toy text. Installs nothing: `bash scripts/setup.sh --train` does.
exec "${PYTHON:-/usr/bin/python3}" -B "$(dirname "$0")/smoke.py"
