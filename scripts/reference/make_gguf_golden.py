#!/usr/bin/env python3
"""Makes the golden GGUF files in `tests/golden`: a tiny Llama, Qwen2 and Qwen3 with every type of tensor that is read.

    pip install torch -r scripts/reference/requirements.txt
    python3 scripts/reference/make_gguf_golden.py [-o tests/golden]

`gguf.json.gz` has a hash of the values that the package `gguf` reads from each tensor, with the names and the
order of rows of Hugging Face's models, and how the tokenizers split texts: that of Qwen2 and Qwen3 is Hugging Face's own,
that of Llama merges pieces by their scores, as SentencePiece does. `gguf.safetensors` has what transformers
computes with these values.
"""

from __future__ import annotations

import argparse
import gzip
import hashlib
import json
from pathlib import Path
from typing import Any

import gguf
import numpy as np
import torch
from gguf import GGMLQuantizationType as Type
from numpy.typing import NDArray
from tokenizers import Regex, Tokenizer, models, pre_tokenizers
from transformers import (
    LlamaConfig,
    LlamaForCausalLM,
    Qwen2Config,
    Qwen2ForCausalLM,
    Qwen3Config,
    Qwen3ForCausalLM,
)

import safetensors_io
from small_tokenizers import llama_bpe, qwen_bpe

TEXTS = 60
TOKENS = 6
NORMAL, UNKNOWN, CONTROL, BYTE = 1, 2, 3, 6
# The names of a layer's tensors in GGUF and in Hugging Face's models.
NAMES = {
    "attn_norm": "input_layernorm",
    "attn_q": "self_attn.q_proj",
    "attn_k": "self_attn.k_proj",
    "attn_v": "self_attn.v_proj",
    "attn_q_norm": "self_attn.q_norm",
    "attn_k_norm": "self_attn.k_norm",
    "attn_output": "self_attn.o_proj",
    "ffn_norm": "post_attention_layernorm",
    "ffn_gate": "mlp.gate_proj",
    "ffn_up": "mlp.up_proj",
    "ffn_down": "mlp.down_proj",
}
OUTER = {"token_embd": "model.embed_tokens", "output_norm": "model.norm", "output": "lm_head"}

# The package reads these types and does not write them, so their blocks are random: where the scales are, and
# sizes of scales with which the numbers have the size of weights. Those of Q6_K are subnormal.
RANDOM_BLOCKS = {
    Type.Q4_K: {0: 4e-4, 2: 3e-3},
    Type.Q5_K: {0: 2e-4, 2: 3e-3},
    Type.Q6_K: {208: 4.5e-5},
}


class Writer:
    """Writes tensors, and keeps what they hold for a model of Hugging Face."""

    def __init__(self, path: Path, architecture: str, seed: int) -> None:
        self.file = gguf.GGUFWriter(path, architecture)
        self.random = np.random.default_rng(seed)
        self.values: dict[str, NDArray[np.float32]] = {}

    def add(self, name: str, shape: tuple[int, ...], type_: Type, heads: int = 0) -> None:
        """`heads`: the number of heads whose rows are stored in GGML's order."""
        if type_ in RANDOM_BLOCKS:
            stored = self.random_blocks(shape, type_)
        else:
            is_norm = len(shape) == 1 and name.endswith("weight")
            is_words = name.startswith("token_embd")
            size = 0.3 if len(shape) == 1 else 1 if is_words else shape[-1] ** -0.5
            values = (self.random.standard_normal(shape) * size + is_norm).astype(np.float32)
            stored = gguf.quantize(values, type_)
        values = gguf.dequantize(stored, type_).reshape(shape).astype(np.float32)
        if heads:
            # Undoes `LlamaModel.permute` of `convert_hf_to_gguf.py`.
            values = values.reshape(heads, shape[0] // heads // 2, 2, shape[1]).swapaxes(1, 2).reshape(shape)
        self.file.add_tensor(name, stored, raw_dtype=type_)
        self.values[plain_name(name)] = np.ascontiguousarray(values)

    def random_blocks(self, shape: tuple[int, ...], type_: Type) -> NDArray[np.uint8]:
        values, size = gguf.GGML_QUANT_SIZES[type_]
        blocks = self.random.integers(0, 256, (shape[0] * shape[1] // values, size), dtype=np.uint8)
        for at, scale in RANDOM_BLOCKS[type_].items():
            scales = scale * self.random.uniform(0.5, 1.5, (len(blocks), 1))
            blocks[:, at : at + 2] = scales.astype(np.float16).view(np.uint8)
        return blocks.reshape(shape[0], -1)

    def close(self) -> None:
        self.file.write_header_to_file()
        self.file.write_kv_data_to_file()
        self.file.write_tensors_to_file()
        self.file.close()


def plain_name(name: str) -> str:
    first, *rest = name.split(".")
    if first in OUTER:
        return f"{OUTER[first]}.{rest[0]}"
    layer, inner, kind = rest
    return f"model.layers.{layer}.{NAMES[inner]}.{kind}"


def add_sizes(writer: Writer, hidden: int, heads: int, shared: int, between: int, epsilon: float, base: float) -> None:
    writer.file.add_context_length(64)
    writer.file.add_embedding_length(hidden)
    writer.file.add_block_count(1)
    writer.file.add_feed_forward_length(between)
    writer.file.add_head_count(heads)
    writer.file.add_head_count_kv(shared)
    writer.file.add_layer_norm_rms_eps(epsilon)
    writer.file.add_rope_freq_base(base)


def write_llama(path: Path) -> tuple[Writer, LlamaForCausalLM, list[str]]:
    """The words are also the head. Four heads share one of keys and values."""
    writer = Writer(path, "llama", seed=40)
    vocabulary: dict[str, int] = json.loads(llama_bpe()["tokenizer.json"])["model"]["vocab"]
    tokens = list(vocabulary)
    add_sizes(writer, hidden=256, heads=4, shared=1, between=32, epsilon=1e-5, base=10000.0)
    writer.file.add_rope_dimension_count(64)
    types = [UNKNOWN, CONTROL, CONTROL] + [BYTE] * 256 + [NORMAL] * (len(tokens) - 259)
    writer.file.add_tokenizer_model("llama")
    writer.file.add_token_list(tokens)
    writer.file.add_token_scores(llama_scores(tokens))
    writer.file.add_token_types(types)
    writer.file.add_bos_token_id(1)
    writer.file.add_eos_token_id(2)
    writer.file.add_unk_token_id(0)
    writer.add("token_embd.weight", (len(tokens), 256), Type.Q4_0)
    writer.add("blk.0.attn_norm.weight", (256,), Type.F32)
    writer.add("blk.0.attn_q.weight", (256, 256), Type.Q4_K, heads=4)
    writer.add("blk.0.attn_k.weight", (64, 256), Type.Q6_K, heads=1)
    writer.add("blk.0.attn_v.weight", (64, 256), Type.Q5_K)
    writer.add("blk.0.attn_output.weight", (256, 256), Type.Q4_0)
    writer.add("blk.0.ffn_norm.weight", (256,), Type.F32)
    writer.add("blk.0.ffn_gate.weight", (32, 256), Type.Q4_1)
    writer.add("blk.0.ffn_up.weight", (32, 256), Type.Q5_1)
    writer.add("blk.0.ffn_down.weight", (256, 32), Type.Q5_0)
    writer.add("output_norm.weight", (256,), Type.F32)
    writer.close()
    config = LlamaConfig(
        vocab_size=len(tokens), hidden_size=256, intermediate_size=32, num_hidden_layers=1, num_attention_heads=4,
        num_key_value_heads=1, max_position_embeddings=64, rms_norm_eps=1e-5, tie_word_embeddings=True,
        rope_parameters={"rope_type": "default", "rope_theta": 10000.0},
    )  # fmt: skip
    return writer, LlamaForCausalLM(config), tokens


def llama_scores(tokens: list[str]) -> list[float]:
    """As in Llama's file, a piece that was learnt later has a lower score."""
    return [0.0] * 259 + [-float(index) for index in range(len(tokens) - 259)]


def write_qwen(path: Path, seed: int) -> tuple[Writer, Qwen2ForCausalLM | Qwen3ForCausalLM]:
    """It has a head of its own. Qwen2 has biases, Qwen3 norms of heads, which do not divide its hidden size."""
    writer = Writer(path, path.stem, seed)
    is_third = path.stem == "qwen3"
    head_size = 24 if is_third else 16
    files = qwen_bpe()
    tokenizer = json.loads(files["tokenizer.json"])
    vocabulary: dict[str, int] = tokenizer["model"]["vocab"]
    added: list[dict[str, Any]] = tokenizer["added_tokens"]
    tokens = [*vocabulary, *(token["content"] for token in added)]
    add_sizes(writer, hidden=64, heads=4, shared=2, between=64, epsilon=1e-6, base=1e6)
    if is_third:
        writer.file.add_key_length(head_size)
        writer.file.add_value_length(head_size)
    writer.file.add_tokenizer_model("gpt2")
    writer.file.add_tokenizer_pre("qwen2")
    writer.file.add_token_list(tokens)
    writer.file.add_token_types([NORMAL] * len(vocabulary) + [CONTROL] * len(added))
    writer.file.add_token_merges([" ".join(pair) for pair in tokenizer["model"]["merges"]])
    writer.file.add_eos_token_id(tokens.index("<|im_end|>"))
    writer.file.add_pad_token_id(tokens.index("<|endoftext|>"))
    writer.file.add_add_bos_token(False)
    writer.add("token_embd.weight", (len(tokens), 64), Type.Q8_0)
    writer.add("blk.0.attn_norm.weight", (64,), Type.F32)
    for name, heads, type_ in (("q", 4, Type.Q8_0), ("k", 2, Type.BF16), ("v", 2, Type.F16)):
        writer.add(f"blk.0.attn_{name}.weight", (heads * head_size, 64), type_)
        if not is_third:
            writer.add(f"blk.0.attn_{name}.bias", (heads * head_size,), Type.F32)
        elif name != "v":
            writer.add(f"blk.0.attn_{name}_norm.weight", (head_size,), Type.F32)
    writer.add("blk.0.attn_output.weight", (64, 4 * head_size), Type.Q8_0)
    writer.add("blk.0.ffn_norm.weight", (64,), Type.F32)
    writer.add("blk.0.ffn_gate.weight", (64, 64), Type.Q4_0)
    writer.add("blk.0.ffn_up.weight", (64, 64), Type.F16)
    writer.add("blk.0.ffn_down.weight", (64, 64), Type.Q4_1)
    writer.add("output_norm.weight", (64,), Type.F32)
    writer.add("output.weight", (len(tokens), 64), Type.Q8_0)
    writer.close()
    sizes: dict[str, Any] = dict(
        vocab_size=len(tokens), hidden_size=64, intermediate_size=64, num_hidden_layers=1, num_attention_heads=4,
        num_key_value_heads=2, max_position_embeddings=64, rms_norm_eps=1e-6, tie_word_embeddings=False,
        rope_parameters={"rope_type": "default", "rope_theta": 1e6},
    )  # fmt: skip
    if is_third:
        return writer, Qwen3ForCausalLM(Qwen3Config(head_dim=head_size, **sizes))
    return writer, Qwen2ForCausalLM(Qwen2Config(**sizes))


@torch.no_grad()
def logits_of(writer: Writer, model: torch.nn.Module, seed: int) -> dict[str, torch.Tensor]:
    state = {name: torch.from_numpy(values) for name, values in writer.values.items()}
    missing, unexpected = model.load_state_dict(state, strict=False)
    assert not unexpected and set(missing) <= {"lm_head.weight"}, (missing, unexpected)
    model.tie_weights()  # type: ignore[operator]
    words = state["model.embed_tokens.weight"]
    ids = torch.randint(0, len(words), (1, TOKENS), generator=torch.Generator().manual_seed(seed))
    return {"input_ids": ids.int(), "logits": model.eval()(ids).logits}


def sentence_piece_ids(text: str, tokens: list[str]) -> list[int]:
    """Joins the two neighbours that make the best piece, the first of several, until there are none (`llama-vocab.cpp`)."""
    ids, scores = {token: index for index, token in enumerate(tokens)}, llama_scores(tokens)
    pieces = list(("▁" + text).replace(" ", "▁"))
    while True:
        pairs = [(-scores[ids[a + b]], at) for at, (a, b) in enumerate(zip(pieces, pieces[1:])) if a + b in ids]
        if not pairs:
            break
        _, at = min(pairs)
        pieces[at : at + 2] = [pieces[at] + pieces[at + 1]]
    spelled = [[ids[piece]] if piece in ids else [ids[f"<0x{byte:02X}>"] for byte in piece.encode()] for piece in pieces]
    return [1, *(each for piece in spelled for each in piece)]


def ids_by_rules(texts: list[str]) -> dict[str, list[list[int]]]:
    """How Qwen's vocabulary splits texts by the rules of other models: as their files, and llama.cpp, state them."""
    english, rest = "'s|'t|'re|'ve|'m|'ll|'d", r" ?[^\s\p{L}\p{N}]+"
    llama = (
        rf"(?i:{english})|[^\r\n\p{{L}}\p{{N}}]?\p{{L}}+|\p{{N}}{{1,3}}|{rest}[\r\n]*|\s*[\r\n]+|\s+(?!\S)|\s+"
    )
    patterns = {
        "gpt-2": [],
        "smollm": [],
        "llama-bpe": [llama],
        "default": [
            r"[\p{P}\$\+<=>\^~\|]+",
            rf"{english}| ?\p{{L}}+| ?\p{{N}}+|{rest}|\s+(?!\S)",
            r"\p{N}+",
            "[0-9][0-9][0-9]",
        ],
    }
    model = json.loads(qwen_bpe()["tokenizer.json"])["model"]
    merges = [tuple(pair) for pair in model["merges"]]
    found = {}
    for rules, each in patterns.items():
        steps: list[Any] = [pre_tokenizers.Split(Regex(pattern), "isolated") for pattern in each]
        if rules == "smollm":
            steps.append(pre_tokenizers.Digits(individual_digits=True))
        steps.append(pre_tokenizers.ByteLevel(add_prefix_space=False, use_regex=not each))
        tokenizer = Tokenizer(models.BPE(model["vocab"], merges, ignore_merges=rules == "llama-bpe"))
        tokenizer.pre_tokenizer = pre_tokenizers.Sequence(steps)  # type: ignore[assignment]
        found[rules] = [tokenizer.encode(text).ids for text in texts]
    return found


def main() -> None:
    root = Path(__file__).resolve().parents[2]
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("-o", "--output", type=Path, default=root / "tests/golden")
    folder: Path = parser.parse_args().output
    llama, llama_model, tokens = write_llama(folder / "llama.gguf")
    qwen2, qwen2_model = write_qwen(folder / "qwen2.gguf", seed=41)
    qwen3, qwen3_model = write_qwen(folder / "qwen3.gguf", seed=43)
    hashes = {
        name: {
            tensor: hashlib.sha256(values.tobytes()).hexdigest()[:32] for tensor, values in sorted(each.values.items())
        }
        for name, each in (("llama", llama), ("qwen2", qwen2), ("qwen3", qwen3))
    }
    expected = {
        f"{name}.{key}": tensor
        for name, each, model in (
            ("llama", llama, llama_model),
            ("qwen2", qwen2, qwen2_model),
            ("qwen3", qwen3, qwen3_model),
        )
        for key, tensor in logits_of(each, model, seed=42).items()
    }
    safetensors_io.save(folder / "gguf.safetensors", expected)
    strings = json.loads((root / "tests/golden/hard-strings.json").read_text(encoding="utf-8"))["strings"]
    # The pieces of Llama are merged anew for each pair, so its texts are short.
    texts = ["time flies like an arrow", "The river's end.", " two  spaces "]
    texts += [text for text in strings if 3 < len(text) < 60][:TEXTS]
    qwen_tokenizer = Tokenizer.from_str(qwen_bpe()["tokenizer.json"])
    facts = {
        "hashes": hashes,
        "texts": texts,
        "llama": [sentence_piece_ids(text, tokens) for text in texts],
        "qwen2": [qwen_tokenizer.encode(text).ids for text in texts],
        "rules": ids_by_rules(texts),
    }
    with gzip.GzipFile(folder / "gguf.json.gz", "wb", mtime=0) as file:
        file.write(json.dumps(facts).encode())


if __name__ == "__main__":
    main()
