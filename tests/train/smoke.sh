#!/bin/sh
# Runs the training chain on a toy text with the first Python that has PyTorch; skips, and says so, without one.
here=$(dirname "$0")
for python in "${PYTHON:-python3}" /usr/bin/python3; do
    if "$python" -c 'import torch, numpy' 2>/dev/null; then
        exec "$python" -B "$here/smoke.py"
    fi
done
echo "train: skipped, no Python with torch and numpy (Debian: python3-torch)"
