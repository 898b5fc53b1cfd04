"""Makes LiteRT's graphs of a BERT, one for each number of tokens, with its own converter and quantizer.

make_litert.py FOLDER TOKENS...                   from the weights that make_model.py put into FOLDER
make_litert.py FOLDER TOKENS... --quantized FILE  from what the 8 bits of a quantized model stand for
make_litert.py FOLDER TOKENS... --float HF_FOLDER from a model that is not quantized

Runs in an environment with the modules of requirements.txt.
"""

from __future__ import annotations

import argparse
import math
from pathlib import Path

import numpy as np
from ai_edge_quantizer import quantizer, recipe
from litert_converter.tools import model_utils
from litert_converter.tools.model_utils import model_builder
from litert_converter.tools.model_utils.dialect import mlir, tfl

import weights as sources
from weights import Config, Weights

Value = model_utils.SSAValue


class Graph:
    """Adds operations for a text of a fixed number of tokens, without a mask; each method returns its result."""

    def __init__(self, config: Config, weights: Weights, tokens: int):
        self.config, self.weights, self.tokens = config, weights, tokens
        self.hidden, self.heads = config["hidden_size"], config["num_attention_heads"]

    def constant(self, value: np.ndarray | float) -> Value:
        return tfl.const(np.ascontiguousarray(value, dtype=np.float32))

    def weight(self, name: str) -> Value:
        return self.constant(self.weights[name])

    def linear(self, x: Value, name: str) -> Value:
        return tfl.fully_connected(x, self.weight(f"{name}.weight"), self.weight(f"{name}.bias"))

    def mean(self, x: Value) -> Value:
        return tfl.mean(x, np.array([1], dtype=np.int32), keep_dims=True)

    def layer_norm(self, x: Value, name: str) -> Value:
        centred = tfl.sub(x, self.mean(x))
        variance = self.mean(tfl.mul(centred, centred))
        inverse = tfl.rsqrt(tfl.add(variance, self.constant(self.config["layer_norm_eps"])))
        scaled = tfl.mul(tfl.mul(centred, inverse), self.weight(f"{name}.weight"))
        return tfl.add(scaled, self.weight(f"{name}.bias"))

    def embeddings(self, ids: Value) -> Value:
        words = tfl.embedding_lookup(ids, self.weight("embeddings.word_embeddings.weight"))
        positions = self.weights["embeddings.position_embeddings.weight"][: self.tokens]
        first_type = self.weights["embeddings.token_type_embeddings.weight"][0]
        return self.layer_norm(tfl.add(words, self.constant(positions + first_type)), "embeddings.LayerNorm")

    def by_head(self, rows: Value, order: list[int]) -> Value:
        parts = tfl.reshape(rows, [1, self.tokens, self.heads, self.hidden // self.heads])
        return tfl.transpose(parts, order)

    def layer(self, x: Value, index: int) -> tuple[Value, Value]:
        prefix = f"encoder.layer.{index}"
        query, key, value = (self.linear(x, f"{prefix}.attention.self.{part}") for part in ("query", "key", "value"))
        query = tfl.mul(query, self.constant(1 / math.sqrt(self.hidden // self.heads)))
        scores = tfl.batch_matmul(self.by_head(query, [0, 2, 1, 3]), self.by_head(key, [0, 2, 3, 1]))
        attention = tfl.softmax(scores)
        mixed = tfl.transpose(tfl.batch_matmul(attention, self.by_head(value, [0, 2, 1, 3])), [0, 2, 1, 3])
        projected = self.linear(tfl.reshape(mixed, [self.tokens, self.hidden]), f"{prefix}.attention.output.dense")
        middle = self.layer_norm(tfl.add(projected, x), f"{prefix}.attention.output.LayerNorm")
        inner = tfl.gelu(self.linear(middle, f"{prefix}.intermediate.dense"))
        outer = self.linear(inner, f"{prefix}.output.dense")
        return self.layer_norm(tfl.add(outer, middle), f"{prefix}.output.LayerNorm"), attention


def build(config: Config, weights: Weights, tokens: int) -> bytes:
    """Makes a float32 graph with the outputs `attention_<layer>` [1, heads, tokens, tokens] and `last_hidden_state`."""
    layers = config["num_hidden_layers"]
    graph = Graph(config, weights, tokens)

    def model(ids: Value) -> list[Value]:
        x = graph.embeddings(ids)
        attentions = []
        for index in range(layers):
            x, attention = graph.layer(x, index)
            attentions.append(attention)
        # Without this output the last layer's second half would be dead code.
        return [*attentions, x]

    with model_utils.get_ir_context():
        module = model_builder.build_module_from_py_func(mlir.RankedTensorType([tokens], "i32"))(model)
        signature = model_utils.SignatureBuilder(next(iter(module.ops)))
        signature.input_names = ["input_ids"]
        signature.output_names = [*(f"attention_{index}" for index in range(layers)), "last_hidden_state"]
        return model_utils.write_flatbuffer(module)


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("folder", type=Path)
    parser.add_argument("tokens", type=int, nargs="+")
    parser.add_argument("--quantized", type=Path)
    parser.add_argument("--float", type=Path)
    arguments = parser.parse_args()
    folder: Path = arguments.folder

    if arguments.quantized:
        config, weights = sources.load_quantized(arguments.quantized)
    else:
        config, weights = sources.load_folder(arguments.float or folder)
    for tokens in arguments.tokens:
        graph = bytearray(build(config, weights, tokens))
        quantized = quantizer.Quantizer(graph, recipe.dynamic_wi8_afp32()).quantize()
        (folder / f"litert-{tokens}.tflite").write_bytes(quantized.quantized_model)


if __name__ == "__main__":
    main()
