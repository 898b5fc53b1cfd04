"""Masked-language-model pretraining.

The rate warms up, stays, and at the end decays ("warmup-stable-decay": Hu et al. 2024,
https://arxiv.org/abs/2404.06395): while it stays, a run can be stopped and continued at will, and a
decay can be branched off from any of its checkpoints.
"""

from __future__ import annotations

import json
import math
import signal
import time
from dataclasses import asdict, dataclass
from itertools import islice
from pathlib import Path
from typing import Any

import torch
from torch import Tensor
from torch.nn import functional as F

from batches import Batch, BatchStream, Masking
from bert import Bert, BertConfig, BertHeads
from errors import InputError
from evaluate import HeldOut, combined, measure
from examples import MAX_LENGTH
from mix import BOOK_PARTS, SENTENCE_PARTS
from optimizer import Optimizers
from replicas import Replicas
from tokens import load_parts
from warm_start import warm_start
from wordpiece import WordPiece

INITIAL_DEVIATION = 0.02
GRADIENT_CLIP = 1.0
QUICK_LOOK_TOKENS = 12_000
CHOOSING_BATCHES = 50
LINE_SECONDS = 20
CONTINUED, DECAYED, CURVE = "checkpoint.pt", "decayed.pt", "curve.jsonl"


@dataclass(frozen=True)
class Recipe:
    """Everything that decides the result, besides the prepared text; stored in each checkpoint."""

    layers: int = 6
    heads: int = 8
    hidden: int = 256
    intermediate: int = 1024
    step_tokens: int = 8192
    batch_tokens: int = 2048
    rate: float = 2e-3
    warmup_steps: int = 300
    weight_decay: float = 0.1
    muon: bool = True
    mask_rate: float = 0.15
    whole_words: bool = False
    head_steps: int = 0
    seed: int = 1

    def config(self, vocabulary: int) -> BertConfig:
        try:
            return BertConfig(
                vocab_size=vocabulary,
                hidden_size=self.hidden,
                num_hidden_layers=self.layers,
                num_attention_heads=self.heads,
                intermediate_size=self.intermediate,
                max_position_embeddings=MAX_LENGTH,
            )
        except ValueError as error:
            raise InputError(f"recipe: {error}") from None


def learning_rate(recipe: Recipe, step: int, decayed: float) -> float:
    """The rate of a step (counted from 0): linear warm-up, constant, then falling as 1 - sqrt.

    While the head learns alone the rate is constant, too. decayed: the share of the decay that is over, 0 before it.
    """
    encoder_step = step - recipe.head_steps
    warm = min(1.0, (encoder_step + 1) / max(1, recipe.warmup_steps)) if encoder_step >= 0 else 1.0
    return recipe.rate * warm * (1 - math.sqrt(decayed))


def initialize(model: Bert, seed: int) -> None:
    """BERT's initialisation: N(0, 0.02) for matrices, which PyTorch's own defaults are not."""
    generator = torch.Generator().manual_seed(seed)
    with torch.no_grad():
        for name, param in model.named_parameters():
            if param.dim() >= 2:
                param.normal_(0, INITIAL_DEVIATION, generator=generator)
            else:
                param.fill_(1.0 if name.endswith("LayerNorm.weight") else 0.0)


@dataclass(frozen=True)
class Plan:
    """How far to go now; none of it changes what a step computes, except the decay."""

    steps: int | None = None
    decay_steps: int = 0
    minutes: float = math.inf
    decay_minutes: float = 0
    save_minutes: float = 5
    look_minutes: float = 10

    def __post_init__(self) -> None:
        if self.steps is None and self.minutes == math.inf and not self.decay_minutes:
            raise InputError("pretrain: expected --steps, --minutes or --decay-minutes, found none")
        if self.decay_steps and (self.steps is None or self.decay_minutes):
            raise InputError("pretrain: --decay-steps: expected --steps and no --decay-minutes beside it")

    @property
    def decays(self) -> bool:
        return bool(self.decay_steps or self.decay_minutes)

    @property
    def seconds(self) -> float:
        return 60 * (self.decay_minutes or self.minutes)

    def decayed(self, step: int, seconds: float) -> float:
        """The share of the decay that is over at the begin of a step, after so many seconds of this call."""
        if self.decay_minutes:
            return min(1.0, seconds / self.seconds)
        if self.decay_steps:
            assert self.steps is not None
            begin = self.steps - self.decay_steps
            return max(0, step - begin + 1) / (self.decay_steps + 1)
        return 0.0

    def left(self, step: int, seconds: float, seconds_per_step: float) -> float:
        """Seconds to the end."""
        by_steps = math.inf if self.steps is None else (self.steps - step) * seconds_per_step
        return max(0.0, min(by_steps, self.seconds - seconds))


def clock(seconds: float) -> str:
    return f"{int(seconds) // 3600}:{int(seconds) // 60 % 60:02d}:{int(seconds) % 60:02d}"


class Trainer:
    """A run: model, optimizers, place in the data, and what has been logged."""

    def __init__(self, work: Path, recipe: Recipe) -> None:
        self.work, self.recipe = work, recipe
        self.tokenizer = WordPiece.load(work / "vocab.txt")
        self.device = torch.device("cuda" if torch.cuda.is_available() else "cpu")
        config = recipe.config(len(self.tokenizer.tokens))
        self.model = Bert(config, BertHeads(mlm=True))
        initialize(self.model, recipe.seed)
        self.model.to(self.device)
        count = min(torch.get_num_threads(), self.batches_per_step) if self.device.type == "cpu" else 1
        self.replicas = Replicas(self.model, self._mean_loss, count)
        self.optimizers = Optimizers(self.model, recipe.weight_decay, recipe.muon)
        masking = Masking(recipe.mask_rate, whole_words=recipe.whole_words)
        self.stream = BatchStream(
            load_parts(work / "tokens"), self.tokenizer, recipe.seed, recipe.batch_tokens, masking
        )
        self.held_out = HeldOut.load(work / "heldout", self.tokenizer)
        self.step = 0
        self.tokens = 0
        self.seconds = 0.0

    def save(self, path: Path, plan: Plan) -> None:
        """Writes a checkpoint, whole or not at all."""
        state = {
            "recipe": asdict(self.recipe),
            "plan": [plan.steps, plan.decay_steps],
            "model": self.model.state_dict(),
            "optimizers": self.optimizers.state_dict(),
            "stream": self.stream.state(),
            "step": self.step,
            "tokens": self.tokens,
            "seconds": self.seconds,
        }
        partial = path.with_name(path.name + ".partial")
        torch.save(state, partial)
        partial.replace(path)

    def restore(self, state: dict[str, Any]) -> None:
        self.model.load_state_dict(state["model"])
        self.optimizers.load_state_dict(state["optimizers"])
        self.stream.restore(state["stream"])
        self.step, self.tokens, self.seconds = state["step"], state["tokens"], state["seconds"]

    def start_from(self, folder: Path) -> None:
        """Takes the first weights from a folder; text of the stream's begin says which neurons to keep."""
        warm_start(self.model, self.tokenizer, folder, islice(iter(self.stream), CHOOSING_BATCHES))
        self.stream.restore({"pool": 0, "position": 0})

    @property
    def batches_per_step(self) -> int:
        return max(1, self.recipe.step_tokens // self.recipe.batch_tokens)

    def _mean_loss(self, batch: Batch, masked: int, head_alone: bool) -> Tensor:
        """The batch's part of the mean over a step's `masked` tokens; logits are made for no others.

        head_alone: nothing below the masked-LM head learns.
        """
        ids, types, positions, labels = batch.tensors(self.device)
        with torch.autocast(self.device.type, torch.bfloat16):
            with torch.set_grad_enabled(not head_alone):
                hidden = self.model(ids, types)
            logits = self.model.mlm_logits(hidden.reshape(-1, hidden.shape[-1])[positions])
        return F.cross_entropy(logits.float(), labels, reduction="sum") / masked

    def train_step(self, batches: list[Batch], rate: float) -> float:
        """One update from several batches of different lengths. Returns the mean loss."""
        masked = sum(len(batch.labels) for batch in batches)
        head_alone = self.step < self.recipe.head_steps
        loss = self.replicas.accumulate([(batch, masked, head_alone) for batch in batches])
        torch.nn.utils.clip_grad_norm_(self.model.parameters(), GRADIENT_CLIP)
        self.optimizers.step(rate)
        self.step += 1
        self.tokens += sum(batch.input_ids.size for batch in batches)
        return loss

    def quick_look(self) -> dict[str, float]:
        """Loss and accuracy on a fixed sample of the held-out text."""
        with torch.autocast(self.device.type, torch.bfloat16):
            scores = measure(self.model, self.held_out, QUICK_LOOK_TOKENS)
        everyday, books = combined(scores, SENTENCE_PARTS), combined(scores, BOOK_PARTS)
        return {
            "everyday_loss": everyday.loss,
            "everyday_top1": everyday.top1,
            "books_loss": books.loss,
            "books_top1": books.top1,
        }


class Progress:
    """The line that says how a run goes: mean loss, speed and time left since the last such line."""

    def __init__(self, trainer: Trainer, plan: Plan) -> None:
        self._trainer, self._plan = trainer, plan
        self._started = time.monotonic()
        self._begin()

    def _begin(self) -> None:
        self._loss_sum, self._count, self._tokens = 0.0, 0, self._trainer.tokens
        self._time = time.monotonic()

    def add(self, loss: float, rate: float, now: float, last: bool) -> None:
        self._loss_sum += loss
        self._count += 1
        if now - self._time < LINE_SECONDS and not last:
            return
        step, tokens = self._trainer.step, self._trainer.tokens
        left = self._plan.left(step, now - self._started, (now - self._time) / self._count)
        print(
            f"step {step}  tokens {tokens:,}  loss {self._loss_sum / self._count:.3f}  rate {rate:.2e}  "
            f"{(tokens - self._tokens) / (now - self._time):,.0f} tokens/s  "
            f"ETA {clock(left)}",
            flush=True,
        )
        self._begin()


def look(trainer: Trainer, rate: float) -> None:
    """Prints the held-out figures and adds them to `curve.jsonl`."""
    figures = trainer.quick_look()
    print("held out  " + "  ".join(f"{key} {value:.3f}" for key, value in figures.items()), flush=True)
    place = {"step": trainer.step, "tokens": trainer.tokens, "seconds": round(trainer.seconds), "rate": rate}
    with (trainer.work / CURVE).open("a", encoding="utf-8") as curve:
        curve.write(json.dumps(place | figures) + "\n")


def run(trainer: Trainer, plan: Plan) -> None:
    """Trains until the plan's step or time is reached, or SIGTERM or SIGINT comes, and saves."""
    # A decay must not overwrite what later runs continue from.
    checkpoint = trainer.work / (DECAYED if plan.decays else CONTINUED)
    signals: list[int] = []
    for number in (signal.SIGTERM, signal.SIGINT):
        signal.signal(number, lambda received, _frame: signals.append(received))
    batches, progress = iter(trainer.stream), Progress(trainer, plan)
    started = last_save = last_look = time.monotonic()
    seconds_before = trainer.seconds
    ended = trainer.step == plan.steps
    while not ended:
        decayed = plan.decayed(trainer.step, time.monotonic() - started)
        rate = learning_rate(trainer.recipe, trainer.step, decayed)
        loss = trainer.train_step(list(islice(batches, trainer.batches_per_step)), rate)
        now = time.monotonic()
        trainer.seconds = seconds_before + now - started
        ended = bool(signals) or now - started >= plan.seconds or trainer.step == plan.steps
        progress.add(loss, rate, now, last=ended)
        if now - last_look >= plan.look_minutes * 60 or (ended and not signals):
            look(trainer, rate)
            last_look = now
        if now - last_save >= plan.save_minutes * 60 or ended:
            trainer.save(checkpoint, plan)
            last_save = now


def checkpoint_to_continue(work: Path, plan: Plan) -> Path:
    """The run's `checkpoint.pt`; for a decay that was interrupted on its way, what it had reached."""
    decayed = work / DECAYED
    if plan.decay_steps and decayed.exists():
        state = torch.load(decayed, map_location="cpu")
        if state["plan"] == [plan.steps, plan.decay_steps] and state["step"] < plan.steps:
            return decayed
    return work / CONTINUED


def pretrain(work: Path, recipe: Recipe, plan: Plan, start_from: Path | None = None) -> None:
    """Starts a run in `work`, or continues the one whose checkpoint is there, by its own recipe."""
    path = checkpoint_to_continue(work, plan)
    state = torch.load(path, map_location="cpu") if path.exists() else None
    trainer = Trainer(work, Recipe(**state["recipe"]) if state else recipe)
    if state:
        trainer.restore(state)
        print(f"{path}: continuing at step {trainer.step}", flush=True)
    else:
        (work / CURVE).unlink(missing_ok=True)
    if start_from and not state:
        trainer.start_from(start_from)
    try:
        run(trainer, plan)
    finally:
        trainer.replicas.close()
