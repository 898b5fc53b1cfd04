#!/usr/bin/env python3
"""Makes the golden encoder-decoders in `tests/golden`, from transformers' own modules.

    pip install torch sentencepiece -r scripts/reference/requirements.txt
    python3 scripts/reference/make_translation_golden.py [--corpus common-voice-en.txt.xz] [-o tests/golden]

Each folder has the files of a published model and of what it computes: of a padded batch, the encoder
(`expected.safetensors`, as `make_family_golden.py` does) and the decoder (`decoder.safetensors`); and the ids of
1,000 texts with the tokens that the decoder writes for the first 200 (`translations.json.gz`). With a corpus, a
sentence in each line, SentencePiece's files are trained anew; those in the repository are from Common Voice (CC0).
"""

from __future__ import annotations

import argparse
import gzip
import json
import lzma
import random
import shutil
import sys
import tempfile
from pathlib import Path

import sentencepiece
import torch
from torch import Tensor
from transformers import (
    BartConfig,
    BartForConditionalGeneration,
    MarianConfig,
    MarianMTModel,
    MarianTokenizer,
    PreTrainedModel,
    PreTrainedTokenizerBase,
    RobertaTokenizer,
    T5ForConditionalGeneration,
)

import golden_t5
import safetensors_io
from small_tokenizers import byte_level_bpe

SENTENCEPIECE_FILES = ("source.spm", "target.spm")
PIECES = 400
SENTENCES = 20000
LANGUAGES = (">>fra<<", ">>deu<<")
SYMBOLS = ["<sep>", "HE SAID"]
UNLISTED = 5
TEXTS = 1000
TRANSLATED = 200
WRITTEN = 24
LENGTHS = (9, 6, 2)
SIDES = {"d_model": 32, "encoder_layers": 2, "decoder_layers": 3, "encoder_attention_heads": 4,
         "decoder_attention_heads": 2, "encoder_ffn_dim": 40, "decoder_ffn_dim": 48}  # fmt: skip


def train_pieces(folder: Path, corpus: Path) -> None:
    """Trains both files. The target's is of other sentences, whose characters and spaces stay as they are."""
    lines = sorted({line.strip() for line in lzma.open(corpus, "rt", encoding="utf-8") if line.strip()})
    random.Random(1).shuffle(lines)
    halves = (lines[:SENTENCES], [line.upper() for line in lines[SENTENCES : 2 * SENTENCES]])
    kept = {"normalization_rule_name": "identity", "add_dummy_prefix": False, "remove_extra_whitespaces": False}
    for name, half, how in zip(SENTENCEPIECE_FILES, halves, ({}, {**kept, "user_defined_symbols": SYMBOLS})):
        with tempfile.TemporaryDirectory() as place:
            sentencepiece.SentencePieceTrainer.train(
                sentence_iterator=iter(half), model_prefix=f"{place}/m", vocab_size=PIECES, character_coverage=1.0,
                hard_vocab_limit=False, num_threads=1, minloglevel=2, **how,
            )  # fmt: skip
            shutil.copy(f"{place}/m.model", folder / name)


def marian_vocabulary(folder: Path) -> dict[str, int]:
    """Lists the pieces of both languages. The model does not know some pieces of the source."""
    pieces: dict[str, None] = dict.fromkeys(("</s>", "<unk>"))
    for name in SENTENCEPIECE_FILES:
        model = sentencepiece.SentencePieceProcessor(model_file=str(folder / name))
        listed = [model.id_to_piece(index) for index in range(3, len(model))]
        pieces |= dict.fromkeys(listed[: -UNLISTED if name == "source.spm" else None])
    pieces |= dict.fromkeys((*LANGUAGES, "<pad>"))
    return {piece: index for index, piece in enumerate(pieces)}


def set_weights(model: PreTrainedModel, seed: int) -> None:
    """Sets larger weights than training begins with, so that heads differ."""
    generator = torch.Generator().manual_seed(seed)
    with torch.no_grad():
        for name, parameter in model.named_parameters():
            if "embed_positions" in name and not parameter.requires_grad:
                continue
            if parameter.dim() == 1 and name.endswith(("norm.weight", "layernorm_embedding.weight")):
                parameter.uniform_(0.6, 1.4, generator=generator)
            elif parameter.dim() == 1:
                parameter.normal_(0, 0.3, generator=generator)
            else:
                parameter.normal_(0, 1.5 / parameter.shape[1] ** 0.5, generator=generator)
        model.final_logits_bias.normal_(0, 0.3, generator=generator)


def texts_of(hard: list[str]) -> list[str]:
    """Returns hard strings, some of which begin with a language or hold special tokens."""
    texts = hard[-TEXTS:]
    for index in range(0, len(texts), 9):
        texts[index] = f"{LANGUAGES[index % 2]} {texts[index]}"
    texts[4:9] = [">>xyz<<unknown", "a</s> b <pad>c<unk>", ">>fra<<", "  >>fra<< two  spaces\u3000", " She<sep>he said  so"]
    return texts


def capitals_of(text: str) -> str:
    """Makes capitals of a to z alone, which Python and JavaScript do alike."""
    return "".join(sign.upper() if sign.isascii() else sign for sign in text)


@torch.no_grad()
def expected(model: PreTrainedModel, generator: torch.Generator) -> tuple[dict[str, Tensor], dict[str, Tensor]]:
    """Returns what the encoder makes of a padded batch, and the decoder of its first text."""
    pad = model.config.pad_token_id
    most = model.config.vocab_size - 2
    rows = [torch.randint(4, most, (length,), generator=generator) for length in LENGTHS]
    ids = torch.nn.utils.rnn.pad_sequence(rows, batch_first=True, padding_value=pad)
    mask = (ids != pad).int()
    projected: dict[str, list[Tensor]] = {"queries": [], "keys": [], "values": []}
    hooks = [
        module.register_forward_hook(lambda _, __, output, kept=kept: kept.append(output))
        for modules in projections(model)
        for module, kept in zip(modules, projected.values())
    ]
    written = torch.randint(4, most, (len(LENGTHS), 7), generator=generator)
    written[:, 0] = model.config.decoder_start_token_id
    outputs = model(ids, attention_mask=mask, decoder_input_ids=written, output_attentions=True,
                    output_hidden_states=True)  # fmt: skip
    for hook in hooks:
        hook.remove()

    def split(layers: list[Tensor]) -> Tensor:
        heads = model.config.num_attention_heads
        return torch.stack([rows.unflatten(-1, (heads, -1)).transpose(1, 2) for rows in layers])

    encoder = {
        "hidden_states": torch.stack(outputs.encoder_hidden_states),
        "attentions": torch.stack(outputs.encoder_attentions),
    } | {name: split(layers) for name, layers in projected.items()}
    if isinstance(model, T5ForConditionalGeneration):
        encoder["hidden_states"][-1] = outputs.encoder_last_hidden_state
        encoder |= golden_t5.biases(model)
    integers = {"input_ids": ids, "token_type_ids": torch.zeros_like(ids), "attention_mask": mask}
    decoder = {
        "hidden_states": torch.stack(outputs.decoder_hidden_states)[:, 0],
        "attentions": torch.stack(outputs.decoder_attentions)[:, 0],
        "cross_attentions": torch.stack(outputs.cross_attentions)[:, 0],
        "logits": outputs.logits[0],
    }
    whole = {name: tensor.float() for name, tensor in encoder.items()}
    return (
        whole | {name: tensor.int() for name, tensor in integers.items()},
        {name: tensor.float() for name, tensor in decoder.items()} | {"ids": written[0].int(), "source": ids[0].int()},
    )


def projections(model: PreTrainedModel) -> list[tuple[torch.nn.Module, ...]]:
    """Returns the maps of queries, keys and values of each layer of the encoder."""
    if isinstance(model, T5ForConditionalGeneration):
        return golden_t5.projections(model)
    parts = [layer.self_attn for layer in model.model.encoder.layers]
    return [(part.q_proj, part.k_proj, part.v_proj) for part in parts]


@torch.no_grad()
def translations(model: PreTrainedModel, tokenizer: PreTrainedTokenizerBase, texts: list[str]) -> dict[str, object]:
    """Returns texts, their ids, and what is written for the first ones, as ids and as text."""
    ids = [tokenizer(text)["input_ids"] for text in texts]
    positions = getattr(model.config, "max_position_embeddings", None) or model.config.n_positions
    chosen = [index for index, each in enumerate(ids) if 1 < len(each) <= positions][:TRANSLATED]
    written = {}
    for index in chosen:
        answer = model.generate(torch.tensor([ids[index]]), max_new_tokens=WRITTEN, num_beams=1, do_sample=False)
        tokens = answer[0, 1:].tolist()
        # Readers see the tokens that T5 puts in place of missing words, which transformers counts as special.
        is_t5 = isinstance(model, T5ForConditionalGeneration)
        shown = [token for token in tokens if token != tokenizer.eos_token_id] if is_t5 else tokens
        written[index] = {"ids": tokens, "text": tokenizer.decode(shown, skip_special_tokens=not is_t5)}
    return {"texts": texts, "ids": ids, "written": written}


def make_marian(folder: Path, seed: int, corpus: Path | None, hard: list[str]) -> None:
    folder.mkdir(exist_ok=True)
    if corpus:
        train_pieces(folder, corpus)
    vocabulary = marian_vocabulary(folder)
    (folder / "vocab.json").write_text(json.dumps(vocabulary, ensure_ascii=False) + "\n", encoding="utf-8")
    languages = {"source_lang": "eng", "target_lang": "fra", "model_max_length": 512}
    (folder / "tokenizer_config.json").write_text(json.dumps(languages) + "\n", encoding="utf-8")
    pad = len(vocabulary) - 1
    config = MarianConfig(
        **SIDES, vocab_size=len(vocabulary), activation_function="swish", scale_embedding=True,
        max_position_embeddings=64, pad_token_id=pad, decoder_start_token_id=pad, eos_token_id=0, forced_eos_token_id=None,
        attn_implementation="eager",
    )  # fmt: skip
    model = MarianMTModel(config)
    set_weights(model, seed)
    finish(folder, model.eval(), MarianTokenizer.from_pretrained(folder), seed, hard, {"bad_words_ids": [[pad]]})


def make_bart(folder: Path, seed: int, hard: list[str]) -> None:
    folder.mkdir(exist_ok=True)
    files = byte_level_bpe()
    for name, text in files.items():
        (folder / name).write_text(text, encoding="utf-8")
    config = BartConfig(
        **SIDES, vocab_size=len(json.loads(files["vocab.json"])), max_position_embeddings=64, bos_token_id=0,
        pad_token_id=1, eos_token_id=2, decoder_start_token_id=2, forced_eos_token_id=None,
        attn_implementation="eager",
    )  # fmt: skip
    model = BartForConditionalGeneration(config)
    set_weights(model, seed)
    tokenizer = RobertaTokenizer(vocab=str(folder / "vocab.json"), merges=str(folder / "merges.txt"))
    generation = {"forced_bos_token_id": 0, "no_repeat_ngram_size": 3, "min_length": 9}
    finish(folder, model.eval(), tokenizer, seed, hard, generation)


def make_t5(folder: Path, seed: int, hard: list[str]) -> None:
    folder.mkdir(exist_ok=True)
    tokenizer = golden_t5.write_tokenizer(folder)
    model = golden_t5.build(seed, len(tokenizer) + 3, is_flan=folder.name.startswith("flan"))
    finish(folder, model, tokenizer, seed, hard, {})


def finish(
    folder: Path, model: PreTrainedModel, tokenizer: PreTrainedTokenizerBase, seed: int, hard: list[str],
    generation: dict[str, object],
) -> None:  # fmt: skip
    for name, value in generation.items():
        setattr(model.generation_config, name, value)
    model.save_pretrained(folder)
    exact = model.double()
    texts = texts_of(hard)
    encoder, decoder = expected(exact, torch.Generator().manual_seed(seed))
    safetensors_io.save(folder / "expected.safetensors", encoder)
    safetensors_io.save(folder / "decoder.safetensors", decoder)
    known = translations(exact, tokenizer, texts)
    if isinstance(tokenizer, MarianTokenizer):
        # These ids come from the other of SentencePiece's files.
        known["target_ids"] = tokenizer(text_target=[capitals_of(text) for text in texts])["input_ids"]
    text = json.dumps(known, separators=(",", ":"))
    (folder / "translations.json.gz").write_bytes(gzip.compress(text.encode(), mtime=0))
    print(f"{folder}: {sum(path.stat().st_size for path in folder.iterdir()):,} bytes")


def main() -> int:
    golden = Path(__file__).resolve().parents[2] / "tests" / "golden"
    parser = argparse.ArgumentParser(description="Makes the golden encoder-decoders.")
    parser.add_argument("--corpus", type=Path)
    parser.add_argument("-o", "--out", type=Path, default=golden)
    options = parser.parse_args()
    torch.set_num_threads(1)
    hard = json.loads((golden / "hard-strings.json").read_text(encoding="utf-8"))["strings"]
    make_marian(options.out / "marian", 31, options.corpus, hard)
    make_bart(options.out / "bart", 32, hard)
    make_t5(options.out / "t5", 33, hard)
    make_t5(options.out / "flan-t5", 34, hard)
    return 0


if __name__ == "__main__":
    sys.exit(main())
