"""The trained model as a Hugging Face folder, and as one quantized file."""

from __future__ import annotations

from pathlib import Path

import torch

import safetensors_io
from marian import MarianMTModel
from quantized import save_quantized, text_files
from train import CHECKPOINT, Recipe


def load(work: Path) -> MarianMTModel:
    state = torch.load(work / CHECKPOINT, map_location="cpu")
    model = MarianMTModel(Recipe(**state["recipe"]).config())
    model.load_state_dict(state["model"])
    return model.eval()


def export(work: Path, folder: Path, file: Path) -> None:
    model = load(work)
    folder.mkdir(parents=True, exist_ok=True)
    for name, text in text_files(model.config).items():
        (folder / name).write_text(text + "\n", encoding="utf-8")
    safetensors_io.save(folder / "model.safetensors", model.state_dict(), {"format": "pt"})
    save_quantized(model, file)
    print(f"{folder}, and {file}: {file.stat().st_size:,} bytes")
