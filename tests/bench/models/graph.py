"""The peer's graph of a BERT, with every attention matrix as an output.

The nodes are those of an export from PyTorch, so that onnxruntime's own fusions apply. The 8-bit one
is what `onnxruntime.quantization.quantize_dynamic(per_channel=True)` makes, which transformers.js
ships; its embeddings stay float32 here, which only helps its accuracy.
"""

from __future__ import annotations

import math

import numpy as np
import onnx
from onnx import TensorProto, helper, numpy_helper

from weights import Config, Weights

OPSET = 17
LOWEST = float(np.finfo(np.float32).min)


class Graph:
    """Collects nodes and constants; each method adds some and returns the name of its result."""

    def __init__(self, config: Config, weights: Weights, int8: bool):
        self.config, self.weights, self.int8 = config, weights, int8
        self.nodes: list[onnx.NodeProto] = []
        self.constants: dict[str, onnx.TensorProto] = {}
        self.quantized: dict[str, list[str]] = {}

    def node(self, operator: str, *inputs: str, outputs: int = 1, **attributes: object) -> str:
        names = [f"{operator}_{len(self.nodes)}_{i}" for i in range(outputs)]
        self.nodes.append(helper.make_node(operator, list(inputs), names, **attributes))
        return names[0]

    def constant(self, value: np.ndarray, name: str | None = None) -> str:
        name = name or f"constant_{len(self.constants)}"
        if name not in self.constants:
            self.constants[name] = numpy_helper.from_array(np.ascontiguousarray(value), name)
        return name

    def integers(self, *values: int) -> str:
        return self.constant(np.array(values, dtype=np.int64))

    def number(self, value: float) -> str:
        return self.constant(np.array(value, dtype=np.float32))

    def weight(self, name: str) -> str:
        return self.constant(self.weights[name], name)

    def matrix(self, name: str) -> np.ndarray:
        """The weights of a linear map, [inputs, outputs]."""
        return self.weights[f"{name}.weight"].T

    def linear(self, x: str, name: str) -> str:
        matrix = self.matrix(name)
        bias = self.weight(f"{name}.bias")
        if self.int8:
            return self.node("Add", self.multiply_int8(x, matrix, name), bias)
        return self.node("Add", self.node("MatMul", x, self.constant(matrix, f"{name}.matrix")), bias)

    def multiply_int8(self, x: str, matrix: np.ndarray, name: str) -> str:
        scale = np.abs(matrix).max(axis=0) / np.float32(127)
        scale[scale == 0] = 1
        levels = np.clip(np.rint(matrix / scale), -127, 127).astype(np.int8)
        if x not in self.quantized:
            self.node("DynamicQuantizeLinear", x, outputs=3)
            self.quantized[x] = list(self.nodes[-1].output)
        rounded, x_scale, x_zero = self.quantized[x]
        zeros = self.constant(np.zeros(matrix.shape[1], dtype=np.int8), f"{name}.zero_points")
        product = self.node("MatMulInteger", rounded, self.constant(levels, f"{name}.levels"), x_zero, zeros)
        scales = self.node("Mul", x_scale, self.constant(scale, f"{name}.scales"))
        return self.node("Mul", self.node("Cast", product, to=TensorProto.FLOAT), scales)

    def layer_norm(self, x: str, name: str) -> str:
        gain, bias = self.weight(f"{name}.weight"), self.weight(f"{name}.bias")
        return self.node("LayerNormalization", x, gain, bias, axis=-1, epsilon=self.config["layer_norm_eps"])

    def gelu(self, x: str) -> str:
        error = self.node("Erf", self.node("Div", x, self.number(math.sqrt(2))))
        return self.node("Mul", self.node("Mul", x, self.node("Add", error, self.number(1))), self.number(0.5))

    def embeddings(self) -> str:
        words = self.node("Gather", self.weight("embeddings.word_embeddings.weight"), "input_ids")
        types = self.node("Gather", self.weight("embeddings.token_type_embeddings.weight"), "token_type_ids")
        tokens = self.node("Slice", self.node("Shape", "input_ids"), self.integers(1), self.integers(2))
        table = self.weight("embeddings.position_embeddings.weight")
        positions = self.node("Slice", table, self.integers(0), tokens, self.integers(0))
        summed = self.node("Add", self.node("Add", words, types), positions)
        return self.layer_norm(summed, "embeddings.LayerNorm")

    def mask(self) -> str:
        given = self.node("Cast", self.node("Unsqueeze", "attention_mask", self.integers(1, 2)), to=TensorProto.FLOAT)
        return self.node("Mul", self.node("Sub", self.number(1), given), self.number(LOWEST))

    def layer(self, x: str, mask: str, index: int) -> tuple[str, str]:
        prefix = f"encoder.layer.{index}"
        heads, hidden = self.config["num_attention_heads"], self.config["hidden_size"]
        depth = hidden // heads

        def by_head(part: str, order: list[int]) -> str:
            rows = self.linear(x, f"{prefix}.attention.self.{part}")
            return self.node("Transpose", self.node("Reshape", rows, self.integers(0, 0, heads, depth)), perm=order)

        queries, keys = by_head("query", [0, 2, 1, 3]), by_head("key", [0, 2, 3, 1])
        scores = self.node("Div", self.node("MatMul", queries, keys), self.number(math.sqrt(depth)))
        attention = self.node("Softmax", self.node("Add", scores, mask), axis=-1)
        mixed = self.node("MatMul", attention, by_head("value", [0, 2, 1, 3]))
        rows = self.node("Reshape", self.node("Transpose", mixed, perm=[0, 2, 1, 3]), self.integers(0, 0, hidden))
        projected = self.linear(rows, f"{prefix}.attention.output.dense")
        middle = self.layer_norm(self.node("Add", projected, x), f"{prefix}.attention.output.LayerNorm")
        inner = self.gelu(self.linear(middle, f"{prefix}.intermediate.dense"))
        outer = self.linear(inner, f"{prefix}.output.dense")
        return self.layer_norm(self.node("Add", outer, middle), f"{prefix}.output.LayerNorm"), attention


def build(config: Config, weights: Weights, int8: bool) -> onnx.ModelProto:
    """Makes a graph with the outputs `last_hidden_state` and `attention_<layer>` [1, heads, tokens, tokens]."""
    graph = Graph(config, weights, int8)
    x, mask = graph.embeddings(), graph.mask()
    outputs = []
    for index in range(config["num_hidden_layers"]):
        x, attention = graph.layer(x, mask, index)
        graph.nodes.append(helper.make_node("Identity", [attention], [f"attention_{index}"]))
        shape = [1, config["num_attention_heads"], "tokens", "tokens"]
        outputs.append(helper.make_tensor_value_info(f"attention_{index}", TensorProto.FLOAT, shape))
    # Without this output the peer would drop the last layer's second half as dead code.
    graph.nodes.append(helper.make_node("Identity", [x], ["last_hidden_state"]))
    shape = [1, "tokens", config["hidden_size"]]
    outputs.append(helper.make_tensor_value_info("last_hidden_state", TensorProto.FLOAT, shape))
    inputs = [
        helper.make_tensor_value_info(name, TensorProto.INT64, [1, "tokens"])
        for name in ("input_ids", "attention_mask", "token_type_ids")
    ]
    body = helper.make_graph(graph.nodes, "bert", inputs, outputs, list(graph.constants.values()))
    return helper.make_model(body, opset_imports=[helper.make_opsetid("", OPSET)], ir_version=8)
