"""Reads and writes `.safetensors` files with NumPy alone (Debian has no package for them)."""

from __future__ import annotations

import json
import struct
from pathlib import Path
from typing import Mapping

import numpy as np

DTYPES = {"F16": np.float16, "F32": np.float32, "I8": np.int8, "I64": np.int64}


def load(path: Path) -> tuple[dict[str, np.ndarray], dict[str, str]]:
    """Returns the tensors by name, in their stored type, and the metadata."""
    data = path.read_bytes()
    (length,) = struct.unpack_from("<Q", data)
    entries = json.loads(data[8 : 8 + length])
    metadata = entries.pop("__metadata__", {})
    tensors = {}
    for name, entry in entries.items():
        if entry["dtype"] not in DTYPES:
            raise SystemExit(f"{path}: {name}: expected one of {', '.join(DTYPES)}, found {entry['dtype']}")
        begin, end = entry["data_offsets"]
        raw = data[8 + length + begin : 8 + length + end]
        tensors[name] = np.frombuffer(raw, dtype=DTYPES[entry["dtype"]]).reshape(entry["shape"])
    return tensors, metadata


def save(path: Path, tensors: Mapping[str, np.ndarray]) -> None:
    """Writes float32 tensors in the given order."""
    header = {}
    offset = 0
    for name, tensor in tensors.items():
        end = offset + 4 * tensor.size
        header[name] = {"dtype": "F32", "shape": list(tensor.shape), "data_offsets": [offset, end]}
        offset = end
    text = json.dumps(header).encode()
    text += b" " * (-len(text) % 8)
    with path.open("wb") as file:
        file.write(struct.pack("<Q", len(text)) + text)
        for tensor in tensors.values():
            file.write(np.ascontiguousarray(tensor, dtype="<f4").tobytes())
