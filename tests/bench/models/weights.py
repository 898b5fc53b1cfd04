"""Gives float32 weights by their Hugging Face names: random ones of a BERT or a GPT-2, or those of a BERT."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import numpy as np

import safetensors_file

Config = dict[str, Any]
Weights = dict[str, np.ndarray]


class Random:
    """Draws weights that give activations and attention scores a variance of about 1."""

    def __init__(self, seed: int):
        self.numbers = np.random.default_rng(seed)

    def normal(self, *shape: int, deviation: float) -> np.ndarray:
        return self.numbers.standard_normal(shape, dtype=np.float32) * np.float32(deviation)

    def linear(self, name: str, outputs: int, inputs: int) -> Weights:
        return {
            f"{name}.weight": self.normal(outputs, inputs, deviation=inputs**-0.5),
            f"{name}.bias": self.normal(outputs, deviation=0.02),
        }

    def transposed(self, name: str, outputs: int, inputs: int) -> Weights:
        """The same as [inputs, outputs], which is how a GPT-2 stores it."""
        return {key: value.T for key, value in self.linear(name, outputs, inputs).items()}

    def norm(self, name: str, size: int) -> Weights:
        return {
            f"{name}.weight": 1 + self.normal(size, deviation=0.1),
            f"{name}.bias": self.normal(size, deviation=0.1),
        }


def random_weights(config: Config, seed: int) -> Weights:
    random = Random(seed)
    return random_gpt2(config, random) if config["model_type"] == "gpt2" else random_bert(config, random)


def random_gpt2(config: Config, random: Random) -> Weights:
    hidden = config["n_embd"]
    weights = {
        # This deviation gives logits a variance of about 1.
        "wte.weight": random.normal(config["vocab_size"], hidden, deviation=hidden**-0.5),
        "wpe.weight": random.normal(config["n_positions"], hidden, deviation=hidden**-0.5),
    }
    for layer in range(config["n_layer"]):
        weights |= random.norm(f"h.{layer}.ln_1", hidden)
        weights |= random.transposed(f"h.{layer}.attn.c_attn", 3 * hidden, hidden)
        weights |= random.transposed(f"h.{layer}.attn.c_proj", hidden, hidden)
        weights |= random.norm(f"h.{layer}.ln_2", hidden)
        weights |= random.transposed(f"h.{layer}.mlp.c_fc", 4 * hidden, hidden)
        weights |= random.transposed(f"h.{layer}.mlp.c_proj", hidden, 4 * hidden)
    return weights | random.norm("ln_f", hidden)


def random_bert(config: Config, random: Random) -> Weights:
    hidden, inner = config["hidden_size"], config["intermediate_size"]
    normal, linear = random.normal, random.linear

    def norm(name: str) -> Weights:
        return random.norm(name, hidden)

    weights = {
        "embeddings.word_embeddings.weight": normal(config["vocab_size"], hidden, deviation=1),
        "embeddings.position_embeddings.weight": normal(config["max_position_embeddings"], hidden, deviation=0.2),
        "embeddings.token_type_embeddings.weight": normal(config["type_vocab_size"], hidden, deviation=0.2),
        **norm("embeddings.LayerNorm"),
    }
    for layer in range(config["num_hidden_layers"]):
        prefix = f"encoder.layer.{layer}"
        for part in ("query", "key", "value"):
            weights |= linear(f"{prefix}.attention.self.{part}", hidden, hidden)
        weights |= linear(f"{prefix}.attention.output.dense", hidden, hidden)
        weights |= norm(f"{prefix}.attention.output.LayerNorm")
        weights |= linear(f"{prefix}.intermediate.dense", inner, hidden)
        weights |= linear(f"{prefix}.output.dense", hidden, inner)
        weights |= norm(f"{prefix}.output.LayerNorm")
    return weights


def load_folder(folder: Path) -> tuple[Config, Weights]:
    """Reads the weights of a Hugging Face folder."""
    config = json.loads((folder / "config.json").read_text())
    tensors, _ = safetensors_file.load(folder / "model.safetensors")
    return config, _encoder(tensors)


def load_quantized(file: Path) -> tuple[Config, Weights]:
    """Reads bertscope's own file, and turns its 8-bit weights into float32."""
    tensors, metadata = safetensors_file.load(file)
    scales = {name.removesuffix("_scale"): scale for name, scale in tensors.items() if name.endswith("_scale")}

    def plain(name: str, tensor: np.ndarray) -> np.ndarray:
        if name not in scales:
            return tensor
        rows = tensor * scales[name][:, None]
        return rows if metadata["version"] == "1" else _rotated(rows)

    weights = {name: plain(name, tensor) for name, tensor in tensors.items() if not name.endswith("_scale")}
    return json.loads(metadata["config.json"]), _encoder(weights)


def _rotated(rows: np.ndarray) -> np.ndarray:
    """Multiplies blocks of each row by a Hadamard matrix, as the documentation of version 3 says."""
    sizes = [size for size in (64, 32, 16, 8, 4) if rows.shape[1] % size == 0]
    hadamard = np.ones((1, 1), np.float32)
    while sizes and len(hadamard) < sizes[0]:
        hadamard = np.block([[hadamard, hadamard], [hadamard, -hadamard]])
    return (rows.reshape(len(rows), -1, len(hadamard)) @ hadamard).reshape(rows.shape)


def _encoder(tensors: Weights) -> Weights:
    """Drops the prediction heads and the prefix `bert.`."""
    named = {name.removeprefix("bert."): tensor.astype(np.float32) for name, tensor in tensors.items()}
    return {name: tensor for name, tensor in named.items() if name.startswith(("embeddings.", "encoder."))}
