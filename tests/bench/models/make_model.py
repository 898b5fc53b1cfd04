"""Makes the models that both sides of the benchmark load, in one folder.

make_model.py FOLDER                   random weights in the shape of FOLDER/config.json:
                                       model.safetensors for bertscope, float32.onnx and int8.onnx
                                       for the peer, and step.onnx, in 8 bits, if it is a GPT-2
make_model.py FOLDER --quantized FILE  the graphs of a quantized model, from what its 8 bits stand for
make_model.py FOLDER --float HF_FOLDER the graphs of a model that is not quantized
"""

from __future__ import annotations

import argparse
import json
from pathlib import Path

import onnx

import decoder_graph
import graph
import safetensors_file
import weights as sources

SEED = 1


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("folder", type=Path)
    parser.add_argument("--quantized", type=Path)
    parser.add_argument("--float", type=Path)
    arguments = parser.parse_args()
    folder: Path = arguments.folder

    if arguments.quantized:
        config, weights = sources.load_quantized(arguments.quantized)
    elif arguments.float:
        config, weights = sources.load_folder(arguments.float)
    else:
        config = json.loads((folder / "config.json").read_text())
        weights = sources.random_weights(config, SEED)
        safetensors_file.save(folder / "model.safetensors", weights)

    is_decoder = config["model_type"] == "gpt2"
    build = decoder_graph.build if is_decoder else graph.build
    for name, int8 in (("float32", False), ("int8", True)):
        onnx.save(build(config, weights, int8), folder / f"{name}.onnx")
    if is_decoder:
        onnx.save(decoder_graph.build(config, weights, int8=True, keeps=True), folder / "step.onnx")


if __name__ == "__main__":
    main()
