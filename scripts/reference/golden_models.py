"""What the golden models of transformers' families share: random weights, a batch, what a pass computes, files."""

from __future__ import annotations

import gzip
import json
import shutil
import tempfile
from pathlib import Path
from typing import Callable, TypeVar

import torch
from torch import Tensor
from transformers import GPT2TokenizerFast, PreTrainedModel, PreTrainedTokenizerBase, PreTrainedTokenizerFast
from transformers.utils import ModelOutput

import safetensors_io

Model = TypeVar("Model", bound=torch.nn.Module)

LENGTHS = (9, 6, 1)
TEXTS = 200
STRINGS = 1000
LONGEST_TEXT = 9
CONTINUED = 12
WORD_TOKEN, WORD_ID = 4, 7


@torch.no_grad()
def with_random_weights(model: Model, seed: int, gain: float, of_size_1: tuple[str, ...] = ()) -> Model:
    """Norms around 1, words of size 1, and matrices that keep the size of what they map, times `gain`. `of_size_1`: the
    names of other parameters of that size."""
    generator = torch.Generator().manual_seed(seed)
    for name, parameter in model.named_parameters():
        if parameter.dim() == 1 and name.endswith("weight"):
            parameter.uniform_(0.6, 1.4, generator=generator)
        elif parameter.dim() == 1:
            parameter.normal_(0, 0.3, generator=generator)
        else:
            is_words = any(words in name for words in ("tok_embeddings", "embed_tokens", "embed_in"))
            parameter.normal_(0, 1 if is_words else gain / parameter.shape[1] ** 0.5, generator=generator)
    generator = torch.Generator().manual_seed(seed)
    for name in of_size_1:
        model.get_parameter(name).normal_(0, 1, generator=generator)
    return model.eval()


def make_batch(
    vocabulary: int, generator: torch.Generator, lengths: tuple[int, ...] = LENGTHS
) -> tuple[Tensor, Tensor]:
    """Ids and mask, padded at the end."""
    rows = [torch.randint(0, vocabulary, (length,), generator=generator) for length in lengths]
    pad = torch.nn.utils.rnn.pad_sequence
    return pad(rows, batch_first=True), pad([torch.ones_like(row) for row in rows], batch_first=True)


@torch.no_grad()
def run_traced(
    model: PreTrainedModel, ids: Tensor, mask: Tensor, modules: list[torch.nn.Module]
) -> tuple[ModelOutput, list[Tensor]]:
    """The outputs of the model, and those of each of `modules`."""
    computed: dict[int, Tensor] = {}
    hooks = [
        module.register_forward_hook(lambda _, __, output, at=at: computed.update({at: output}))
        for at, module in enumerate(modules)
    ]
    outputs = model(ids, attention_mask=mask, output_attentions=True, output_hidden_states=True)
    for hook in hooks:
        hook.remove()
    return outputs, [computed[at] for at in range(len(modules))]


def trace_of(outputs: ModelOutput, heads: list[tuple[Tensor, ...]]) -> dict[str, Tensor]:
    """`heads`: for each layer its queries, keys and values [B, A, T, d]."""
    queries, keys, values = zip(*heads)
    return {
        "hidden_states": torch.stack(outputs.hidden_states),
        "attentions": torch.stack(outputs.attentions),
        "queries": torch.stack(queries),
        "keys": torch.stack(keys),
        "values": torch.stack(values),
    }


def decoder_trace(
    outputs: ModelOutput, heads: list[tuple[Tensor, ...]], read: Callable[[Tensor], Tensor]
) -> dict[str, Tensor]:
    """`read` makes the logits of a hidden state, which the final norm has to pass first."""
    lens = [read(state) for state in outputs.hidden_states[:-1]] + [outputs.logits]
    return trace_of(outputs, heads) | {"next_logits": outputs.logits, "lens_logits": torch.stack(lens)[:, :1]}


@torch.no_grad()
def rotated_trace(
    model: PreTrainedModel,
    generator: torch.Generator,
    modules: list[torch.nn.Module],
    heads_of: Callable[[list[Tensor], tuple[Tensor, Tensor]], list[tuple[Tensor, ...]]],
    norm: torch.nn.Module,
) -> dict[str, Tensor]:
    """Queries and keys as they meet: rotated. `heads_of` makes the heads of what `modules` give and of the rotations."""
    ids, mask = make_batch(model.config.vocab_size, generator)
    outputs, projected = run_traced(model, ids, mask, modules)
    rotations = model.base_model.rotary_emb(outputs.logits, torch.arange(ids.shape[1])[None])
    words = model.get_output_embeddings()
    return stored(ids, mask, decoder_trace(outputs, heads_of(projected, rotations), lambda state: words(norm(state))))


def explained(model: PreTrainedModel, ids: Tensor) -> dict[str, Tensor]:
    """The logit of WORD_ID at WORD_TOKEN in a text, and its gradient times the word embeddings (autograd)."""
    embeddings = model.get_input_embeddings()
    words = embeddings(ids).detach().requires_grad_()
    hook = embeddings.register_forward_hook(lambda *_: words)
    value = model(ids).logits[0, WORD_TOKEN, WORD_ID]
    hook.remove()
    (gradient,) = torch.autograd.grad(value, words)
    parts = {"explained_value": value[None], "explained_gradient": (gradient * words).sum(-1)[0]}
    return {name: part.detach().float() for name, part in parts.items()}


def save_encoder(
    folder: Path,
    model: PreTrainedModel,
    tokenizer: PreTrainedTokenizerBase,
    seed: int,
    expected: Callable[[PreTrainedModel, torch.Generator], dict[str, Tensor]],
) -> None:
    """Writes the model, what it computes, how a logit of the first text is explained, and ids."""
    with tempfile.TemporaryDirectory() as place:
        tokenizer.save_pretrained(place)
        names = ("tokenizer.json", "tokenizer_config.json")
        save_model(folder, model, {name: (Path(place) / name).read_text(encoding="utf-8") for name in names})
    exact = model.double()
    tensors = expected(exact, torch.Generator().manual_seed(seed))
    length = int(tensors["attention_mask"][0].sum())
    tensors |= explained(exact, tensors["input_ids"][:1, :length].long())
    safetensors_io.save(folder / "expected.safetensors", tensors)
    write_ids(folder, saved_tokenizer(folder))


def stored(ids: Tensor, mask: Tensor, floats: dict[str, Tensor]) -> dict[str, Tensor]:
    integers = {"input_ids": ids, "token_type_ids": torch.zeros_like(ids), "attention_mask": mask}
    return {name: tensor.float() for name, tensor in floats.items()} | {
        name: tensor.int() for name, tensor in integers.items()
    }


@torch.no_grad()
def greedy(model: PreTrainedModel, generator: torch.Generator) -> dict[str, Tensor]:
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


def save_model(folder: Path, model: PreTrainedModel, tokenizer: dict[str, str]) -> None:
    """`tokenizer`: the texts of its files, by their names."""
    shutil.rmtree(folder, ignore_errors=True)
    model.save_pretrained(folder)
    for name, text in tokenizer.items():
        (folder / name).write_text(text, encoding="utf-8")


def save_decoder(
    folder: Path,
    model: PreTrainedModel,
    tokenizer: dict[str, str],
    seed: int,
    expected: Callable[[PreTrainedModel, torch.Generator], dict[str, Tensor]],
) -> None:
    """Writes the model, what it computes, and the ids that its tokenizer gives."""
    save_model(folder, model, tokenizer)
    (folder / "generation_config.json").unlink()
    exact = model.double()
    generator = torch.Generator().manual_seed(seed)
    safetensors_io.save(folder / "expected.safetensors", expected(exact, generator))
    safetensors_io.save(folder / "greedy.safetensors", greedy(exact, generator))
    write_ids(folder, saved_tokenizer(folder))


def saved_tokenizer(folder: Path) -> PreTrainedTokenizerFast:
    if (folder / "vocab.json").exists():
        return GPT2TokenizerFast(vocab=str(folder / "vocab.json"), merges=str(folder / "merges.txt"))
    return PreTrainedTokenizerFast(tokenizer_file=str(folder / "tokenizer.json"))


def vocabulary_of(tokenizer: dict[str, str]) -> int:
    """The number of its entries, with the added ones."""
    files = json.loads(tokenizer["tokenizer.json"])
    return len({*files["model"]["vocab"], *(token["content"] for token in files["added_tokens"])})
