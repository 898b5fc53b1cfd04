"""Makes what both sides of the benchmark load, in a folder of its own.

make_model.py FOLDER                   random weights in the shape of FOLDER/config.json:
                                       model.safetensors for bertscope, float32.onnx and int8.onnx
                                       for the peer
make_model.py FOLDER --embedded FILE   the graphs of the embedded model, from the weights it was
    [--original HF_FOLDER]             quantized from when they are at hand

Prints one line of JSON: {"weights": "random" | "original" | "quantized"}.
"""

from __future__ import annotations

import argparse
import json
from pathlib import Path

import onnx

import graph
import safetensors_file
import weights as sources

SEED = 1


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("folder", type=Path)
    parser.add_argument("--embedded", type=Path)
    parser.add_argument("--original", type=Path)
    arguments = parser.parse_args()
    folder: Path = arguments.folder

    if arguments.embedded:
        kind, config, weights = embedded(arguments.embedded, arguments.original)
    else:
        kind = "random"
        config = json.loads((folder / "config.json").read_text())
        weights = sources.random_weights(config, SEED)
        safetensors_file.save(folder / "model.safetensors", weights)

    for name, int8 in (("float32", False), ("int8", True)):
        onnx.save(graph.build(config, weights, int8), folder / f"{name}.onnx")
    print(json.dumps({"weights": kind}))


def embedded(file: Path, original: Path | None) -> tuple[str, sources.Config, sources.Weights]:
    if original:
        config, weights = sources.load_folder(original)
        if sources.is_quantization_of(file, config, weights):
            return "original", config, weights
    return "quantized", *sources.load_quantized(file)


if __name__ == "__main__":
    main()
