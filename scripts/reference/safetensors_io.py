"""Read and write `.safetensors` files with nothing but PyTorch.

A file is an unsigned 64-bit little-endian header length, that many bytes of JSON
(`{name: {dtype, shape, data_offsets: [begin, end]}, "__metadata__": {str: str}}`, offsets
counted from the end of the header) and the tensors, row-major and little-endian.
Source: https://github.com/huggingface/safetensors (README, "Format").
"""

from __future__ import annotations

import json
import math
import os
import struct
from pathlib import Path
from typing import Any, Mapping

import torch

DTYPES: dict[str, torch.dtype] = {
    "F64": torch.float64,
    "F32": torch.float32,
    "F16": torch.float16,
    "BF16": torch.bfloat16,
    "I64": torch.int64,
    "I32": torch.int32,
    "I16": torch.int16,
    "I8": torch.int8,
    "U8": torch.uint8,
}
DTYPE_NAMES: dict[torch.dtype, str] = {dtype: name for name, dtype in DTYPES.items()}

# The reference implementation refuses longer headers, so nothing honest has one.
MAX_HEADER_BYTES = 100_000_000


class SafetensorsError(ValueError):
    """The file is not what the format asks for; the text names the file, expected and found."""


def item_bytes(dtype: torch.dtype) -> int:
    """Size of one element in bytes."""
    return torch.empty(0, dtype=dtype).element_size()


def parse_header(header: bytes, data_bytes: int, name: str) -> tuple[dict[str, Any], dict[str, str]]:
    """Checks a header against the number of data bytes behind it.

    Returns the tensor entries by name and the metadata.
    """
    try:
        entries = json.loads(header)
    except (UnicodeDecodeError, json.JSONDecodeError) as error:
        raise SafetensorsError(f"{name}: expected a JSON header, found text that does not parse ({error})") from None
    if not isinstance(entries, dict):
        raise SafetensorsError(f"{name}: expected a JSON object as header, found {type(entries).__name__}")
    metadata = entries.pop("__metadata__", {})
    for tensor, entry in entries.items():
        try:
            dtype, shape, (begin, end) = entry["dtype"], entry["shape"], entry["data_offsets"]
            size = math.prod(shape)
        except (TypeError, KeyError, ValueError):
            raise SafetensorsError(
                f"{name}: {tensor}: expected dtype, shape and data_offsets, found {entry!r}"
            ) from None
        if dtype not in DTYPES:
            raise SafetensorsError(f"{name}: {tensor}: expected one of {', '.join(DTYPES)}, found dtype {dtype!r}")
        expected = size * item_bytes(DTYPES[dtype])
        if min(shape, default=0) < 0 or not 0 <= begin <= end <= data_bytes or end - begin != expected:
            raise SafetensorsError(
                f"{name}: {tensor}: expected {expected} bytes for {dtype} {shape} within {data_bytes}, "
                f"found offsets [{begin}, {end}]"
            )
    return entries, metadata


def load(path: str | os.PathLike[str]) -> tuple[dict[str, torch.Tensor], dict[str, str]]:
    """Reads a whole file. Returns its tensors by name, in their stored dtype, and its metadata."""
    path = Path(path)
    data = bytearray(path.read_bytes())
    if len(data) < 8:
        raise SafetensorsError(f"{path}: expected at least 8 bytes, found {len(data)}")
    (header_bytes,) = struct.unpack_from("<Q", data)
    if header_bytes > min(MAX_HEADER_BYTES, len(data) - 8):
        raise SafetensorsError(
            f"{path}: expected a header of at most {len(data) - 8} bytes, found its length given as {header_bytes}"
        )
    body = 8 + header_bytes
    entries, metadata = parse_header(bytes(data[8:body]), len(data) - body, str(path))
    tensors: dict[str, torch.Tensor] = {}
    for name, entry in entries.items():
        begin, end = entry["data_offsets"]
        dtype = DTYPES[entry["dtype"]]
        # A copy per tensor: offsets in a file need not be aligned for the element type.
        raw = torch.frombuffer(data[body + begin : body + end] or bytearray(1), dtype=torch.uint8)
        raw = raw[: end - begin]
        tensors[name] = raw.view(dtype).reshape(entry["shape"])
    return tensors, metadata


def tensor_bytes(tensor: torch.Tensor) -> bytes:
    """The elements, row-major and little-endian."""
    tensor = tensor.detach().cpu().contiguous()
    if tensor.dtype == torch.bfloat16:  # numpy has no bfloat16
        tensor = tensor.view(torch.int16)
    array = tensor.numpy()
    return array.astype(array.dtype.newbyteorder("<"), copy=False).tobytes()


def save(
    path: str | os.PathLike[str],
    tensors: Mapping[str, torch.Tensor],
    metadata: Mapping[str, str] | None = None,
) -> None:
    """Writes a file: wide types first, then by name, header padded to 8 bytes, as the reference does.

    The file appears whole or not at all.
    """
    for name, tensor in tensors.items():
        if tensor.dtype not in DTYPE_NAMES:
            raise SafetensorsError(f"{path}: {name}: expected one of {', '.join(DTYPES)}, found {tensor.dtype}")
    names = sorted(tensors, key=lambda name: (-tensors[name].element_size(), name))
    header: dict[str, Any] = {"__metadata__": dict(metadata)} if metadata else {}
    offset = 0
    for name in names:
        tensor = tensors[name]
        end = offset + tensor.numel() * tensor.element_size()
        header[name] = {
            "dtype": DTYPE_NAMES[tensor.dtype],
            "shape": list(tensor.shape),
            "data_offsets": [offset, end],
        }
        offset = end
    text = json.dumps(header, separators=(",", ":")).encode()
    text += b" " * (-len(text) % 8)
    path = Path(path)
    partial = path.with_name(path.name + ".partial")
    with partial.open("wb") as file:
        file.write(struct.pack("<Q", len(text)))
        file.write(text)
        for name in names:
            file.write(tensor_bytes(tensors[name]))
    partial.replace(path)
