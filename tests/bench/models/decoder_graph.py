"""The peer's graphs of a GPT-2, beside those of a BERT in graph.py.

The logits are those of the last position, which is what predicts the next token. Exports usually
compute them for every position; bertscope does not, and so neither does the peer here.
"""

from __future__ import annotations

import math

import numpy as np
import onnx
from onnx import TensorProto, helper

from graph import LOWEST, OPSET, Graph
from weights import Config, Weights


class DecoderGraph(Graph):
    """`keeps` is for steps: past keys and values come in, and those of all tokens go out."""

    def __init__(self, config: Config, weights: Weights, int8: bool, keeps: bool):
        super().__init__({**config, "layer_norm_eps": config["layer_norm_epsilon"]}, weights, int8)
        self.keeps = keeps
        self.kept: list[str] = []

    def gelu(self, x: str) -> str:
        cubed = self.node("Mul", self.node("Pow", x, self.number(3)), self.number(0.044715))
        inner = self.node("Mul", self.node("Add", x, cubed), self.number(math.sqrt(2 / math.pi)))
        raised = self.node("Add", self.node("Tanh", inner), self.number(1))
        return self.node("Mul", self.node("Mul", x, self.number(0.5)), raised)

    def lengths(self) -> tuple[str, str]:
        """The number of past tokens and of all."""
        new = self.node("Slice", self.node("Shape", "input_ids"), self.integers(1), self.integers(2))
        if not self.keeps:
            return self.integers(0), new
        past = self.node("Slice", self.node("Shape", "past_key_0"), self.integers(2), self.integers(3))
        return past, self.node("Add", past, new)

    def embeddings(self) -> str:
        words = self.node("Gather", self.weight("wte.weight"), "input_ids")
        positions = self.node("Slice", self.weight("wpe.weight"), *self.lengths(), self.integers(0))
        return self.node("Add", words, positions)

    def mask(self) -> str:
        """A row for each new token, with the lowest number for the tokens after it."""
        size = self.config["n_positions"]
        later = np.triu(np.full((size, size), LOWEST, np.float32), 1)
        past, total = self.lengths()
        rows = self.node("Slice", self.constant(later, "later"), past, total, self.integers(0))
        return self.node("Slice", rows, self.integers(0), total, self.integers(1))

    def joined(self, new: str, kind: str, index: int) -> str:
        """All keys or values of a layer: [1, heads, tokens, depth]."""
        if not self.keeps:
            return new
        name = f"present_{kind}_{index}"
        self.nodes.append(helper.make_node("Concat", [f"past_{kind}_{index}", new], [name], axis=2))
        self.kept.append(name)
        return name

    def layer(self, x: str, mask: str, index: int) -> tuple[str, str]:
        prefix = f"h.{index}"
        heads, hidden = self.config["n_head"], self.config["n_embd"]
        depth = hidden // heads
        rows = self.linear(self.layer_norm(x, f"{prefix}.ln_1"), f"{prefix}.attn.c_attn")
        self.node("Split", rows, self.integers(hidden, hidden, hidden), outputs=3, axis=2)
        queries, keys, values = (
            self.node("Transpose", self.node("Reshape", part, self.integers(0, 0, heads, depth)), perm=[0, 2, 1, 3])
            for part in list(self.nodes[-1].output)
        )
        keys, values = self.joined(keys, "key", index), self.joined(values, "value", index)
        product = self.node("MatMul", queries, self.node("Transpose", keys, perm=[0, 1, 3, 2]))
        scores = self.node("Div", product, self.number(math.sqrt(depth)))
        attention = self.node("Softmax", self.node("Add", scores, mask), axis=-1)
        mixed = self.node("Transpose", self.node("MatMul", attention, values), perm=[0, 2, 1, 3])
        context = self.node("Reshape", mixed, self.integers(0, 0, hidden))
        middle = self.node("Add", self.linear(context, f"{prefix}.attn.c_proj"), x)
        inner = self.gelu(self.linear(self.layer_norm(middle, f"{prefix}.ln_2"), f"{prefix}.mlp.c_fc"))
        return self.node("Add", self.linear(inner, f"{prefix}.mlp.c_proj"), middle), attention

    def logits(self, x: str) -> str:
        last = self.node("Slice", x, self.integers(-1), self.integers(2**31), self.integers(1))
        normed = self.layer_norm(last, "ln_f")
        matrix = self.weights["wte.weight"].T
        if self.int8:
            return self.multiply_int8(normed, matrix, "lm_head")
        return self.node("MatMul", normed, self.constant(matrix, "lm_head.matrix"))

    def matrix(self, name: str) -> np.ndarray:
        return self.weights[f"{name}.weight"]  # stored as [inputs, outputs]


def build(config: Config, weights: Weights, int8: bool, keeps: bool = False) -> onnx.ModelProto:
    """Makes a graph with the outputs `logits` [1, 1, vocabulary] and `attention_<layer>`; one that
    keeps has `present_key_<layer>` and `present_value_<layer>` in their place, which are the next
    step's `past_key_<layer>` and `past_value_<layer>`, [1, heads, tokens, depth]."""
    graph = DecoderGraph(config, weights, int8, keeps)
    heads = config["n_head"]

    def info(name: str, *shape: int | str) -> onnx.ValueInfoProto:
        return helper.make_tensor_value_info(name, TensorProto.FLOAT, shape)

    def cache(name: str, tokens: str) -> onnx.ValueInfoProto:
        return info(name, 1, heads, tokens, config["n_embd"] // heads)

    x, mask = graph.embeddings(), graph.mask()
    inputs = [helper.make_tensor_value_info("input_ids", TensorProto.INT64, [1, "tokens"])]
    outputs = [info("logits", 1, 1, config["vocab_size"])]
    for index in range(config["n_layer"]):
        x, attention = graph.layer(x, mask, index)
        if keeps:
            inputs += [cache(f"past_{kind}_{index}", "past") for kind in ("key", "value")]
        else:
            graph.nodes.append(helper.make_node("Identity", [attention], [f"attention_{index}"]))
            outputs.append(info(f"attention_{index}", 1, heads, "tokens", "tokens"))
    graph.nodes.append(helper.make_node("Identity", [graph.logits(x)], ["logits"]))
    outputs += [cache(name, "all") for name in graph.kept]
    body = helper.make_graph(graph.nodes, "gpt2", inputs, outputs, list(graph.constants.values()))
    return helper.make_model(body, opset_imports=[helper.make_opsetid("", OPSET)], ir_version=8)
