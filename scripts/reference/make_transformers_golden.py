#!/usr/bin/env python3
"""Makes the golden models of GPT-2, ModernBERT, Llama, Qwen2 and GPT-NeoX in `tests/golden`, from transformers' own modules.

    pip install torch -r scripts/reference/requirements.txt
    python3 scripts/reference/make_transformers_golden.py [-o tests/golden]

Each folder has what transformers saves, a small tokenizer, and what the model computes of a padded
batch (`expected.safetensors`, as `make_family_golden.py` does). The decoders also have the tokens with
which they continue texts (`greedy.safetensors`). All have the ids of the last thousand strings of
`hard-strings.json` (`ids.json.gz`).
"""

from __future__ import annotations

import argparse
import gzip
import json
import shutil
import sys
from pathlib import Path
from typing import TypeVar

import torch
from torch import Tensor
from transformers import (
    GPT2Config,
    GPT2LMHeadModel,
    GPT2TokenizerFast,
    GPTNeoXConfig,
    GPTNeoXForCausalLM,
    LlamaConfig,
    LlamaForCausalLM,
    ModernBertConfig,
    ModernBertForMaskedLM,
    PreTrainedTokenizerFast,
    Qwen2Config,
    Qwen2ForCausalLM,
)
from transformers.models.gpt_neox.modeling_gpt_neox import apply_rotary_pos_emb as rotate_neox
from transformers.models.llama.modeling_llama import apply_rotary_pos_emb as rotate_llama
from transformers.models.llama.modeling_llama import repeat_kv
from transformers.models.modernbert.modeling_modernbert import apply_rotary_pos_emb

import safetensors_io
from small_tokenizers import gpt2_bpe, llama_bpe, modern_bpe, qwen_bpe

Model = TypeVar("Model", bound=torch.nn.Module)

TOKENIZER = gpt2_bpe()
VOCABULARY = len(json.loads(TOKENIZER["vocab.json"]))
MODERN = modern_bpe()
LLAMA = llama_bpe()
QWEN = qwen_bpe()
LENGTHS = (9, 6, 1)
# What a query sees that is far behind a text means nothing, and is not the same everywhere.
MODERN_LENGTHS = (9, 8, 7)
TEXTS = 200
STRINGS = 1000
LONGEST_TEXT = 9
CONTINUED = 12


def build(seed: int) -> GPT2LMHeadModel:
    """With weights that are larger than GPT-2's at the start of training, so that heads differ."""
    config = GPT2Config(
        vocab_size=VOCABULARY, n_positions=40, n_embd=48, n_layer=3, n_head=4, n_inner=None,
        bos_token_id=VOCABULARY - 1, eos_token_id=VOCABULARY - 1, attn_implementation="eager",
    )  # fmt: skip
    model = GPT2LMHeadModel(config)
    generator = torch.Generator().manual_seed(seed)
    with torch.no_grad():
        for name, parameter in model.named_parameters():
            if name.endswith(("ln_1.weight", "ln_2.weight", "ln_f.weight")):
                parameter.uniform_(0.6, 1.4, generator=generator)
            elif parameter.dim() == 1:
                parameter.normal_(0, 0.3, generator=generator)
            elif "wte" in name or "wpe" in name:
                parameter.normal_(0, 1 if "wte" in name else 0.5, generator=generator)
            else:  # Conv1D, [in, out]
                parameter.normal_(0, 1.5 / parameter.shape[0] ** 0.5, generator=generator)
    return model.eval()


def heads_of(model: GPT2LMHeadModel, projected: Tensor) -> list[Tensor]:
    """Queries, keys and values [B, A, T, d] of a layer's [B, T, 3 H]."""
    batch, tokens, _ = projected.shape
    heads = model.config.n_head
    return [part.view(batch, tokens, heads, -1).transpose(1, 2) for part in projected.chunk(3, dim=-1)]


def make_batch(
    vocabulary: int, generator: torch.Generator, lengths: tuple[int, ...] = LENGTHS
) -> tuple[Tensor, Tensor]:
    """Ids and mask, padded at the end."""
    rows = [torch.randint(0, vocabulary, (length,), generator=generator) for length in lengths]
    pad = torch.nn.utils.rnn.pad_sequence
    return pad(rows, batch_first=True), pad([torch.ones_like(row) for row in rows], batch_first=True)


def stored(ids: Tensor, mask: Tensor, floats: dict[str, Tensor]) -> dict[str, Tensor]:
    integers = {"input_ids": ids, "token_type_ids": torch.zeros_like(ids), "attention_mask": mask}
    return {name: tensor.float() for name, tensor in floats.items()} | {
        name: tensor.int() for name, tensor in integers.items()
    }


@torch.no_grad()
def expected(model: GPT2LMHeadModel, generator: torch.Generator) -> dict[str, Tensor]:
    ids, mask = make_batch(VOCABULARY, generator)
    projected: list[Tensor] = []
    hooks = [
        block.attn.c_attn.register_forward_hook(lambda _, __, output: projected.append(output))
        for block in model.transformer.h
    ]
    outputs = model(ids, attention_mask=mask, output_attentions=True, output_hidden_states=True)
    for hook in hooks:
        hook.remove()
    # The logits that the head reads from each hidden state, which the final norm has to pass first.
    final = model.transformer.ln_f
    lens = [model.lm_head(final(state)) for state in outputs.hidden_states[:-1]] + [outputs.logits]
    queries, keys, values = zip(*(heads_of(model, each) for each in projected))
    floats = {
        "hidden_states": torch.stack(outputs.hidden_states),
        "attentions": torch.stack(outputs.attentions),
        "queries": torch.stack(queries),
        "keys": torch.stack(keys),
        "values": torch.stack(values),
        "next_logits": outputs.logits,
        "lens_logits": torch.stack(lens)[:, :1],
    }
    return stored(ids, mask, floats)


@torch.no_grad()
def with_random_weights(model: Model, seed: int, gain: float) -> Model:
    """Norms around 1, words of size 1, and matrices that keep the size of what they map, times `gain`."""
    generator = torch.Generator().manual_seed(seed)
    for name, parameter in model.named_parameters():
        if parameter.dim() == 1 and name.endswith("weight"):
            parameter.uniform_(0.6, 1.4, generator=generator)
        elif parameter.dim() == 1:
            parameter.normal_(0, 0.3, generator=generator)
        else:
            is_words = any(words in name for words in ("tok_embeddings", "embed_tokens", "embed_in"))
            parameter.normal_(0, 1 if is_words else gain / parameter.shape[1] ** 0.5, generator=generator)
    return model.eval()


def build_modern(seed: int) -> ModernBertForMaskedLM:
    """Two layers of five see the whole text, the others two tokens on each side."""
    size = len(json.loads(MODERN["tokenizer.json"])["model"]["vocab"])
    config = ModernBertConfig(
        vocab_size=size, hidden_size=48, intermediate_size=40, num_hidden_layers=5, num_attention_heads=4,
        max_position_embeddings=64, local_attention=4, pad_token_id=3, bos_token_id=1, cls_token_id=1,
        eos_token_id=2, sep_token_id=2, attn_implementation="eager",
    )  # fmt: skip
    model = ModernBertForMaskedLM(config)
    return with_random_weights(model, seed, gain=1)


@torch.no_grad()
def expected_modern(model: ModernBertForMaskedLM, generator: torch.Generator) -> dict[str, Tensor]:
    """Queries and keys as they meet: rotated."""
    ids, mask = make_batch(model.config.vocab_size, generator, MODERN_LENGTHS)
    encoder = model.model
    projected: list[Tensor] = []
    last: list[Tensor] = []
    hooks = [
        layer.attn.Wqkv.register_forward_hook(lambda _, __, output: projected.append(output))
        for layer in encoder.layers
    ]
    hooks.append(encoder.final_norm.register_forward_hook(lambda _, __, output: last.append(output)))
    outputs = model(ids, attention_mask=mask, output_attentions=True, output_hidden_states=True)
    for hook in hooks:
        hook.remove()
    places = torch.arange(ids.shape[1])[None]
    heads: list[tuple[Tensor, ...]] = []
    for layer, output in zip(encoder.layers, projected):
        cos, sin = encoder.rotary_emb(output, places, layer.attention_type)
        query, key, value = output.view(*ids.shape, 3, model.config.num_attention_heads, -1).unbind(-3)
        query, key, value = (part.transpose(1, 2) for part in (query, key, value))
        heads.append((*apply_rotary_pos_emb(query, key, cos, sin), value))
    queries, keys, values = zip(*heads)
    floats = {
        "hidden_states": torch.stack([*outputs.hidden_states[:-1], last[0]]),
        "attentions": torch.stack(outputs.attentions),
        "queries": torch.stack(queries),
        "keys": torch.stack(keys),
        "values": torch.stack(values),
        "mlm_logits": outputs.logits,
    }
    return stored(ids, mask, floats)


def make_modern(folder: Path, seed: int) -> None:
    shutil.rmtree(folder, ignore_errors=True)
    model = build_modern(seed)
    model.save_pretrained(folder)
    for name, text in MODERN.items():
        (folder / name).write_text(text, encoding="utf-8")
    tensors = expected_modern(model, torch.Generator().manual_seed(seed))
    safetensors_io.save(folder / "expected.safetensors", tensors)
    write_ids(folder, PreTrainedTokenizerFast(tokenizer_file=str(folder / "tokenizer.json")))


Llama = LlamaForCausalLM | Qwen2ForCausalLM
# Of the six turns of a head, the first stays, the second is in between, and the others are slowed.
SLOWED = {
    "rope_type": "llama3", "rope_theta": 10000.0, "factor": 8.0, "low_freq_factor": 1.0, "high_freq_factor": 4.0,
    "original_max_position_embeddings": 64,
}  # fmt: skip


def build_llama(name: str, seed: int) -> Llama:
    """Llama's heads share keys and values, and its words differ from its embeddings. Qwen2 has biases, Llama 3.1 slows rotations."""
    sizes = dict(
        hidden_size=48, intermediate_size=40, num_hidden_layers=3, num_attention_heads=4, max_position_embeddings=64,
        attn_implementation="eager",
    )  # fmt: skip
    if name != "qwen2":
        size = len(json.loads(LLAMA["tokenizer.json"])["model"]["vocab"])
        rotations = SLOWED if name == "llama3" else None
        config = LlamaConfig(vocab_size=size, num_key_value_heads=2, bos_token_id=1, eos_token_id=2,
                             rope_parameters=rotations, **sizes)  # fmt: skip
        model: Llama = LlamaForCausalLM(config)
    else:
        vocabulary = json.loads(QWEN["tokenizer.json"])
        size = len(vocabulary["model"]["vocab"]) + len(vocabulary["added_tokens"])
        rotations = {"rope_type": "default", "rope_theta": 1000000.0}
        model = Qwen2ForCausalLM(
            Qwen2Config(vocab_size=size, num_key_value_heads=4, tie_word_embeddings=True, rope_parameters=rotations,
                        eos_token_id=size - 1, **sizes)
        )  # fmt: skip
    return with_random_weights(model, seed, gain=1.5)


@torch.no_grad()
def expected_llama(model: Llama, generator: torch.Generator) -> dict[str, Tensor]:
    """Queries and keys as they meet: rotated, and each key and value once for every head that shares it."""
    ids, mask = make_batch(model.config.vocab_size, generator)
    projected: dict[str, list[Tensor]] = {"q_proj": [], "k_proj": [], "v_proj": []}
    hooks = [
        getattr(layer.self_attn, name).register_forward_hook(lambda _, __, output, to=outputs: to.append(output))
        for layer in model.model.layers
        for name, outputs in projected.items()
    ]
    outputs = model(ids, attention_mask=mask, output_attentions=True, output_hidden_states=True)
    for hook in hooks:
        hook.remove()
    config = model.config
    head_size = config.hidden_size // config.num_attention_heads
    shared = config.num_attention_heads // config.num_key_value_heads
    cos, sin = model.model.rotary_emb(outputs.logits, torch.arange(ids.shape[1])[None])
    heads: list[tuple[Tensor, ...]] = []
    for parts in zip(*projected.values()):
        query, key, value = (part.view(*ids.shape, -1, head_size).transpose(1, 2) for part in parts)
        query, key = rotate_llama(query, key, cos, sin)
        heads.append((query, repeat_kv(key, shared), repeat_kv(value, shared)))
    queries, keys, values = zip(*heads)
    lens = [model.lm_head(model.model.norm(state)) for state in outputs.hidden_states[:-1]] + [outputs.logits]
    floats = {
        "hidden_states": torch.stack(outputs.hidden_states),
        "attentions": torch.stack(outputs.attentions),
        "queries": torch.stack(queries),
        "keys": torch.stack(keys),
        "values": torch.stack(values),
        "next_logits": outputs.logits,
        "lens_logits": torch.stack(lens)[:, :1],
    }
    return stored(ids, mask, floats)


def make_llama(folder: Path, seed: int) -> None:
    shutil.rmtree(folder, ignore_errors=True)
    model = build_llama(folder.name, seed)
    model.save_pretrained(folder)
    (folder / "generation_config.json").unlink()
    for name, text in (QWEN if folder.name == "qwen2" else LLAMA).items():
        (folder / name).write_text(text, encoding="utf-8")
    exact = model.double()
    generator = torch.Generator().manual_seed(seed)
    safetensors_io.save(folder / "expected.safetensors", expected_llama(exact, generator))
    safetensors_io.save(folder / "greedy.safetensors", greedy(exact, generator))
    write_ids(folder, PreTrainedTokenizerFast(tokenizer_file=str(folder / "tokenizer.json")))


def build_neox(seed: int) -> GPTNeoXForCausalLM:
    """A third of each head's numbers is rotated, and the parts of a layer are parallel."""
    vocabulary = json.loads(QWEN["tokenizer.json"])
    size = len(vocabulary["model"]["vocab"]) + len(vocabulary["added_tokens"])
    rotations = {"rope_type": "default", "rope_theta": 10000.0, "partial_rotary_factor": 1 / 3}
    config = GPTNeoXConfig(
        vocab_size=size, hidden_size=48, intermediate_size=40, num_hidden_layers=3, num_attention_heads=4,
        max_position_embeddings=64, rope_parameters=rotations, bos_token_id=size - 1, eos_token_id=size - 1,
        attn_implementation="eager",
    )  # fmt: skip
    return with_random_weights(GPTNeoXForCausalLM(config), seed, gain=1.5)


@torch.no_grad()
def expected_neox(model: GPTNeoXForCausalLM, generator: torch.Generator) -> dict[str, Tensor]:
    """Queries and keys as they meet: rotated."""
    ids, mask = make_batch(model.config.vocab_size, generator)
    decoder = model.gpt_neox
    projected: list[Tensor] = []
    hooks = [
        layer.attention.query_key_value.register_forward_hook(lambda _, __, output: projected.append(output))
        for layer in decoder.layers
    ]
    outputs = model(ids, attention_mask=mask, output_attentions=True, output_hidden_states=True)
    for hook in hooks:
        hook.remove()
    cos, sin = decoder.rotary_emb(outputs.logits, torch.arange(ids.shape[1])[None])
    heads: list[tuple[Tensor, ...]] = []
    for output in projected:
        parts = output.view(*ids.shape, model.config.num_attention_heads, -1).transpose(1, 2)
        query, key, value = parts.chunk(3, dim=-1)
        heads.append((*rotate_neox(query, key, cos, sin), value))
    queries, keys, values = zip(*heads)
    read = [decoder.final_layer_norm(state) for state in outputs.hidden_states[:-1]]
    words = model.get_output_embeddings()
    lens = [words(state) for state in read] + [outputs.logits]
    floats = {
        "hidden_states": torch.stack(outputs.hidden_states),
        "attentions": torch.stack(outputs.attentions),
        "queries": torch.stack(queries),
        "keys": torch.stack(keys),
        "values": torch.stack(values),
        "next_logits": outputs.logits,
        "lens_logits": torch.stack(lens)[:, :1],
    }
    return stored(ids, mask, floats)


def make_neox(folder: Path, seed: int) -> None:
    shutil.rmtree(folder, ignore_errors=True)
    model = build_neox(seed)
    model.save_pretrained(folder)
    (folder / "generation_config.json").unlink()
    for name, text in QWEN.items():
        (folder / name).write_text(text, encoding="utf-8")
    exact = model.double()
    generator = torch.Generator().manual_seed(seed)
    safetensors_io.save(folder / "expected.safetensors", expected_neox(exact, generator))
    safetensors_io.save(folder / "greedy.safetensors", greedy(exact, generator))
    write_ids(folder, PreTrainedTokenizerFast(tokenizer_file=str(folder / "tokenizer.json")))


@torch.no_grad()
def greedy(model: GPT2LMHeadModel | Llama | GPTNeoXForCausalLM, generator: torch.Generator) -> dict[str, Tensor]:
    """Texts of 1 … LONGEST_TEXT tokens, padded with -1, and the likeliest continuation of each."""
    texts, continuations = [], []
    for index in range(TEXTS):
        size = model.config.vocab_size - 1
        ids = torch.randint(0, size, (1, 1 + index % LONGEST_TEXT), generator=generator)
        texts.append(torch.nn.functional.pad(ids[0], (0, LONGEST_TEXT - ids.shape[1]), value=-1))
        length = ids.shape[1]
        for _ in range(CONTINUED):
            ids = torch.cat([ids, model(ids).logits[:, -1:].argmax(-1)], dim=1)
        continuations.append(ids[0, length:])
    return {"texts": torch.stack(texts).int(), "continuations": torch.stack(continuations).int()}


def write_ids(folder: Path, tokenizer: PreTrainedTokenizerFast) -> None:
    hard = json.loads((folder.parent / "hard-strings.json").read_text(encoding="utf-8"))["strings"]
    ids = [tokenizer(text)["input_ids"] for text in hard[-STRINGS:]]
    text = json.dumps(ids, separators=(",", ":"))
    (folder / "ids.json.gz").write_bytes(gzip.compress(text.encode(), mtime=0))


def make(folder: Path, seed: int) -> None:
    shutil.rmtree(folder, ignore_errors=True)
    model = build(seed)
    model.save_pretrained(folder)
    (folder / "generation_config.json").unlink()
    for name, text in TOKENIZER.items():
        (folder / name).write_text(text, encoding="utf-8")
    exact = model.double()
    generator = torch.Generator().manual_seed(seed)
    safetensors_io.save(folder / "expected.safetensors", expected(exact, generator))
    safetensors_io.save(folder / "greedy.safetensors", greedy(exact, generator))
    tokenizer = GPT2TokenizerFast(vocab=str(folder / "vocab.json"), merges=str(folder / "merges.txt"))
    write_ids(folder, tokenizer)


def main() -> int:
    golden = Path(__file__).resolve().parents[2] / "tests" / "golden"
    parser = argparse.ArgumentParser(description="Makes the golden models of transformers' families.")
    parser.add_argument("-o", "--out", type=Path, default=golden)
    torch.set_num_threads(1)
    out: Path = parser.parse_args().out
    makers = (
        ("gpt2", make, 21),
        ("modernbert", make_modern, 22),
        ("llama", make_llama, 23),
        ("qwen2", make_llama, 24),
        ("gpt_neox", make_neox, 25),
        ("llama3", make_llama, 26),
    )
    for name, write, seed in makers:
        write(out / name, seed)
        print(f"{out / name}: {sum(path.stat().st_size for path in (out / name).iterdir()):,} bytes")
    return 0


if __name__ == "__main__":
    sys.exit(main())
