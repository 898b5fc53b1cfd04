"""First weights from a trained model, which may be larger and have another vocabulary.

Kept of a larger model are evenly spaced layers, the first positions, and the heads and feed-forward neurons whose
output varies most. What the others add on average goes into the bias, so that their loss is felt less (the mean
replacement of Molchanov et al. 2017, https://arxiv.org/abs/1611.06440, applied to whole heads and neurons): a head
that always rests on [CLS] adds the same to every token, and so nothing is lost with it.
"""

from __future__ import annotations

from pathlib import Path
from typing import Iterable

import torch
from torch import Tensor

from batches import Batch
from bert import Bert
from checkpoint import load_model
from errors import InputError
from wordpiece import WordPiece, read_tokens

# What has a row a token.
WORDS = "bert.embeddings.word_embeddings.weight"
BY_TOKEN = (WORDS, "cls.predictions.bias")
POSITIONS = "bert.embeddings.position_embeddings.weight"


def averages(old: WordPiece, new: WordPiece) -> Tensor:
    """float32 [new V, old V]: each new token as the mean of the old pieces that spell it.

    A token that both have is itself; what the old vocabulary cannot spell is its [UNK].
    """
    weights = torch.zeros(len(new.tokens), len(old.tokens))
    for row, token in enumerate(new.tokens):
        pieces = (old.ids[token],) if token in old.ids else old.spelling(token)
        for piece in pieces:
            weights[row, piece] += 1 / len(pieces)
    return weights


def keep_layers(source: Bert, layers: int) -> None:
    """Leaves `layers` evenly spaced ones, the first and the last among them."""
    found = len(source.bert.encoder.layer)
    if layers < found:
        kept = torch.linspace(0, found - 1, layers).round().int().tolist()
        source.bert.encoder.layer = torch.nn.ModuleList(source.bert.encoder.layer[index] for index in kept)


@torch.no_grad()
def head_spreads(source: Bert, batches: Iterable[Batch]) -> list[tuple[Tensor, Tensor]]:
    """For each layer the heads' mean output, float32 [A, d], and the variance of what each adds, float32 [A].

    The variance is summed over the hidden state's numbers, after the output projection.
    """
    layers = source.bert.encoder.layer
    heads = source.config.num_attention_heads
    width = source.config.head_dim
    sums = [torch.zeros(heads, width) for _ in layers]
    products = [torch.zeros(heads, width, width) for _ in layers]
    count = 0

    def adder(index: int):
        def add(_module: object, inputs: tuple[Tensor]) -> None:
            outputs = inputs[0].float().reshape(-1, heads, width)
            sums[index] += outputs.sum(0)
            products[index] += torch.einsum("tad,tae->ade", outputs, outputs)

        return add

    hooks = [
        layer.attention.output.dense.register_forward_pre_hook(adder(index)) for index, layer in enumerate(layers)
    ]
    for batch in batches:
        ids, types, _, _ = batch.tensors(torch.device("cpu"))
        source(ids, types)
        count += ids.numel()
    for hook in hooks:
        hook.remove()
    spreads = []
    for layer, total, product in zip(layers, sums, products, strict=True):
        mean = total / count
        covariance = product / count - mean[:, :, None] * mean[:, None, :]
        projection = layer.attention.output.dense.weight.view(-1, heads, width)  # [H, A, d]
        spreads.append((mean, torch.einsum("had,ade,hae->a", projection, covariance, projection)))
    return spreads


@torch.no_grad()
def keep_heads(source: Bert, model: Bert, batches: Iterable[Batch]) -> None:
    """Leaves in each layer as many heads as `model` has: those that add most to the hidden states of the text.

    The hidden width stays, so each head becomes wider. Its new numbers begin with the queries and values that
    `model` has, but with keys and a projection of 0, so that they change nothing until they have learned.
    """
    found, heads = source.config.num_attention_heads, model.config.num_attention_heads
    if found <= heads:
        return
    width, wide = source.config.head_dim, model.config.head_dim
    spreads = head_spreads(source, batches)
    for layer, target, (mean, spread) in zip(source.bert.encoder.layer, model.bert.encoder.layer, spreads, strict=True):
        kept = spread.argsort(descending=True)[:heads].sort().values
        dropped = [head for head in range(found) if head not in kept]
        # Where the kept heads' numbers are, and where they go.
        old = (kept[:, None] * width + torch.arange(width)).flatten()
        new = (torch.arange(heads)[:, None] * wide + torch.arange(width)).flatten()
        attention, output = layer.attention.self, layer.attention.output.dense
        fresh = target.attention.self
        projection = output.weight.view(-1, found, width)
        for head in dropped:
            output.bias += projection[:, head] @ mean[head]
        for name, scale, begin in (
            ("query", (wide / width) ** 0.5, fresh.query.weight),  # scores are divided by the root of a head's width
            ("key", 1.0, torch.zeros_like(fresh.key.weight)),
            ("value", 1.0, fresh.value.weight),
        ):
            dense = getattr(attention, name)
            weight, bias = begin.detach().clone(), torch.zeros_like(dense.bias)
            weight[new], bias[new] = dense.weight[old] * scale, dense.bias[old] * scale
            dense.weight, dense.bias = torch.nn.Parameter(weight), torch.nn.Parameter(bias)
        weight = torch.zeros_like(output.weight)
        weight[:, new] = output.weight[:, old]
        output.weight = torch.nn.Parameter(weight)
        attention.num_heads = heads


@torch.no_grad()
def mean_activations(source: Bert, batches: Iterable[Batch]) -> list[tuple[Tensor, Tensor]]:
    """For each layer the mean and the root mean square of every feed-forward neuron, both float32 [F]."""
    sums = [torch.zeros(2, layer.intermediate.dense.out_features) for layer in source.bert.encoder.layer]
    count = 0

    def adder(total: Tensor):
        def add(_module: object, _inputs: object, activations: Tensor) -> None:
            flat = activations.float().flatten(0, 1)
            total.add_(torch.stack([flat.sum(0), flat.square().sum(0)]))

        return add

    hooks = [
        layer.intermediate.register_forward_hook(adder(total))
        for layer, total in zip(source.bert.encoder.layer, sums, strict=True)
    ]
    for batch in batches:
        ids, types, _, _ = batch.tensors(sums[0].device)
        source(ids, types)
        count += ids.numel()
    for hook in hooks:
        hook.remove()
    return [(total[0] / count, (total[1] / count).sqrt()) for total in sums]


@torch.no_grad()
def keep_neurons(source: Bert, neurons: int, batches: Iterable[Batch]) -> None:
    """Leaves in each feed-forward part the `neurons` whose output is largest over the text of `batches`."""
    layers = source.bert.encoder.layer
    if layers[0].intermediate.dense.out_features <= neurons:
        return
    for layer, (mean, size) in zip(layers, mean_activations(source, batches), strict=True):
        inner, outer = layer.intermediate.dense, layer.output.dense
        spread = (size.square() - mean.square()).clamp(min=0).sqrt()
        order = (spread * outer.weight.norm(dim=0)).argsort(descending=True)
        kept, dropped = order[:neurons].sort().values, order[neurons:]
        outer.bias += outer.weight[:, dropped] @ mean[dropped]
        inner.weight, inner.bias = (torch.nn.Parameter(tensor[kept].clone()) for tensor in (inner.weight, inner.bias))
        outer.weight = torch.nn.Parameter(outer.weight[:, kept].clone())


def warm_start(model: Bert, tokenizer: WordPiece, folder: Path, batches: Iterable[Batch]) -> None:
    """Gives `model` the weights in a Hugging Face folder with a `vocab.txt`, made to fit.

    batches: text in `tokenizer`'s ids by which the heads and neurons to keep are chosen. A masked-LM head that the
    folder lacks keeps the weights that `model` has.
    """
    batches = list(batches)
    source = load_model(folder)
    found_heads, heads = source.config.num_attention_heads, model.config.num_attention_heads
    if found_heads < heads:
        raise InputError(f"{folder}: expected at least {heads} heads, found {found_heads}")
    source.bert.pooler = source.classifier = None
    translation = averages(WordPiece(read_tokens(folder / "vocab.txt")), tokenizer)
    words = source.bert.embeddings.word_embeddings
    words.weight = torch.nn.Parameter(translation @ words.weight.detach())
    keep_layers(source, model.config.num_hidden_layers)
    keep_heads(source, model, batches)
    keep_neurons(source, model.config.intermediate_size, batches)
    weights = source.state_dict()
    if source.cls is not None:
        weights["cls.predictions.bias"] = translation @ weights["cls.predictions.bias"]
    expected = model.state_dict()
    weights[POSITIONS] = weights[POSITIONS][: len(expected[POSITIONS])]
    shapes = {name: tuple(tensor.shape) for name, tensor in expected.items()}
    found = {name: tuple(tensor.shape) for name, tensor in weights.items()}
    lacking = {name for name in shapes if name.startswith("cls.")} if source.cls is None else set()
    different = sorted(
        name for name in (shapes.keys() | found.keys()) - lacking if shapes.get(name) != found.get(name)
    )
    if different:
        name = different[0]
        raise InputError(f"{folder}: {name}: expected shape {shapes.get(name)}, found {found.get(name)}")
    model.load_state_dict(expected | weights)
