"""Training with teacher forcing, and with one head shown where to look.

The head GUIDED of the last layer learns to look into the words that a digit is read from: the negative logarithm
of its weight there joins the loss (Garg et al. 2019, "Jointly Learning to Align and Translate with
Transformer Models"). The other heads find their own ways.
"""

from __future__ import annotations

import math
import time
from dataclasses import asdict, dataclass
from pathlib import Path

import torch
from torch import Tensor, nn
from torch.nn import functional as F

from batches import Batch, held_out_examples, training_batches
from evaluate import exact_share
from marian import MarianConfig, MarianMTModel, Trace
from optimizer import Optimizers
from vocabulary import END, PAD, START, TOKENS

CHECKPOINT = "dates.pt"
GUIDED = 0
GRADIENT_CLIP = 1.0
LOOK_STEPS = 500
LOOK_EXAMPLES = 2000


@dataclass(frozen=True)
class Recipe:
    """Everything that decides the result."""

    layers: int = 2
    heads: int = 4
    hidden: int = 128
    intermediate: int = 256
    positions: int = 64
    steps: int = 3000
    batch: int = 128
    rate: float = 2e-3
    warmup_steps: int = 200
    weight_decay: float = 0.05
    guidance: float = 0.1
    seed: int = 1

    def config(self) -> MarianConfig:
        return MarianConfig(
            vocab_size=len(TOKENS),
            d_model=self.hidden,
            encoder_layers=self.layers,
            decoder_layers=self.layers,
            encoder_attention_heads=self.heads,
            decoder_attention_heads=self.heads,
            encoder_ffn_dim=self.intermediate,
            decoder_ffn_dim=self.intermediate,
            max_position_embeddings=self.positions,
            pad_token_id=PAD,
            eos_token_id=END,
            decoder_start_token_id=START,
        )


def learning_rate(recipe: Recipe, step: int) -> float:
    """Linear warm-up, then a cosine to zero."""
    warm = min(1.0, (step + 1) / recipe.warmup_steps)
    return recipe.rate * warm * 0.5 * (1 + math.cos(math.pi * step / recipe.steps))


def initialize(model: nn.Module, seed: int) -> None:
    """Glorot's initialisation for the maps; embeddings that their scale gives the size of the positions."""
    generator = torch.Generator().manual_seed(seed)
    with torch.no_grad():
        for name, param in model.named_parameters():
            if param.dim() == 2:
                width = param.shape[1]
                deviation = width**-0.5 if "shared" in name else math.sqrt(2 / (width + param.shape[0]))
                param.normal_(0, deviation, generator=generator)
            else:
                param.fill_(1.0 if name.endswith("norm.weight") else 0.0)


def guidance_loss(batch: Batch, cross: Tensor) -> Tensor:
    """Minus the logarithm of the guided head's weight on the right words; cross: [B, A, 11, S]."""
    right = (cross[:, GUIDED] * batch.says).sum(-1)
    return -right[batch.has_source].clamp_min(1e-6).log().mean()


def train(work: Path, recipe: Recipe) -> None:
    """Trains a model and writes it to `work`."""
    model = MarianMTModel(recipe.config())
    initialize(model, recipe.seed)
    parameters = sum(param.numel() for param in model.parameters())
    print(f"{parameters:,} parameters, {len(TOKENS)} tokens, {asdict(recipe)}", flush=True)
    optimizers = Optimizers(model, recipe.weight_decay)
    look = held_out_examples(recipe.seed + 1, LOOK_EXAMPLES)
    started = time.monotonic()
    for step, batch in zip(range(recipe.steps), training_batches(recipe.seed, recipe.batch)):
        trace = Trace()
        logits = model(batch.source, batch.decoder_input, trace)
        loss = F.cross_entropy(logits.flatten(0, 1), batch.target.flatten())
        guidance = guidance_loss(batch, trace.cross[-1])
        (loss + recipe.guidance * guidance).backward()
        nn.utils.clip_grad_norm_(model.parameters(), GRADIENT_CLIP)
        optimizers.step(learning_rate(recipe, step))
        if (step + 1) % LOOK_STEPS == 0 or step + 1 == recipe.steps:
            minutes = (time.monotonic() - started) / 60
            exact = exact_share(model, look)
            print(
                f"step {step + 1:,}, {minutes:.1f} min: loss {loss.item():.4f}, guidance {guidance.item():.3f},"
                f" exact {exact:.2%} of {len(look):,} held out",
                flush=True,
            )
    torch.save({"recipe": asdict(recipe), "model": model.state_dict()}, work / CHECKPOINT)
