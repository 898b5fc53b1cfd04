#!/bin/sh
# Runs the whole training chain on a toy text, and checks the model that writes dates: on 200 dates, or on 2,000 with
# --long. Installs nothing: `bash scripts/setup.sh --train` does.
folder=$(dirname "$0")
"${PYTHON:-/usr/bin/python3}" -B "$folder/dates.py" "$@" && exec "${PYTHON:-/usr/bin/python3}" -B "$folder/smoke.py"
