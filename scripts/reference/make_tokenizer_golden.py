#!/usr/bin/env python3
"""Makes `tests/golden/subword-*.json.gz`: ids of hard strings in tokenizers of RoBERTa's and XLM-R's kinds.

    bash scripts/setup.sh --train
    npm install --no-save tokenizers@0.23.2
    python3 scripts/reference/make_tokenizer_golden.py

The strings are those of `tests/golden/hard-strings.json`. The ids are those of Hugging Face's own
tokenizers, in Rust, and for XLM-R's kind also of SentencePiece: where these two differ (they take
control characters and marks differently), both are right.
"""

from __future__ import annotations

import base64
import gzip
import json
import subprocess
import tempfile
from pathlib import Path

import sentencepiece
from sentencepiece import sentencepiece_model_pb2
from small_tokenizers import TEXT

GOLDEN = Path(__file__).resolve().parents[2] / "tests" / "golden"
SPECIAL = ["<s>", "<pad>", "</s>", "<unk>"]
STRINGS = 1000

# Reads tokenizers and strings from its input and writes ids.
REFERENCE = """
const {BPE, Tokenizer, byteLevelPreTokenizer} = require('tokenizers');
(async () => {
  const {folder, unigram, strings} = JSON.parse(require('fs').readFileSync(0, 'utf8'));
  const bytes = new Tokenizer(await BPE.fromFile(`${folder}/vocab.json`, `${folder}/merges.txt`));
  bytes.setPreTokenizer(byteLevelPreTokenizer(false, true));
  const idsOf = async (tokenizer) => {
    const ids = [];
    for (const text of strings)
      ids.push((await tokenizer.encode(text, null, {addSpecialTokens: false})).getIds());
    return ids;
  };
  const found = {roberta: await idsOf(bytes), xlmRoberta: await idsOf(Tokenizer.fromString(unigram))};
  process.stdout.write(JSON.stringify(found));
})();
"""


def train(strings: list[str]) -> bytes:
    """A SentencePiece model that is normalized as XLM-R's is (Kudo and Richardson 2018)."""
    with tempfile.TemporaryDirectory() as folder:
        lines = [text.replace("\n", " ").replace("\0", "") for text in strings if text.strip()]
        Path(folder, "text").write_text("\n".join(lines + TEXT.split(".") * 8), encoding="utf-8")
        sentencepiece.SentencePieceTrainer.train(
            input=f"{folder}/text", model_prefix=f"{folder}/model", vocab_size=900, model_type="unigram",
            normalization_rule_name="nmt_nfkc", character_coverage=0.999, hard_vocab_limit=False,
            num_threads=1, unk_id=0, bos_id=1, eos_id=2, pad_id=-1, minloglevel=2,
        )  # fmt: skip
        return Path(folder, "model.model").read_bytes()


def tokenizer_json(model: bytes) -> str:
    """As `XLMRobertaConverter` of transformers writes it: fairseq has its own four tokens first."""
    proto = sentencepiece_model_pb2.ModelProto()
    proto.ParseFromString(model)
    vocabulary = [[token, 0.0] for token in SPECIAL]
    vocabulary += [[piece.piece, piece.score] for piece in proto.pieces[3:]]
    charsmap = base64.b64encode(proto.normalizer_spec.precompiled_charsmap).decode()
    metaspace = {"type": "Metaspace", "replacement": "▁", "prepend_scheme": "always", "split": True}
    begin, end = ({"SpecialToken": {"id": token, "type_id": 0}} for token in ("<s>", "</s>"))
    first, second = ({"Sequence": {"id": name, "type_id": 0}} for name in "AB")
    special = {token: {"id": token, "ids": [index], "tokens": [token]} for index, token in enumerate(SPECIAL)}
    tokenizer = {
        "version": "1.0",
        "truncation": None,
        "padding": None,
        "added_tokens": [
            {"id": index, "content": token, "single_word": False, "lstrip": False, "rstrip": False,
             "normalized": False, "special": True}
            for index, token in enumerate(SPECIAL)
        ],
        "normalizer": {"type": "Precompiled", "precompiled_charsmap": charsmap},
        "pre_tokenizer": {"type": "Sequence", "pretokenizers": [{"type": "WhitespaceSplit"}, metaspace]},
        "post_processor": {"type": "TemplateProcessing", "single": [begin, first, end],
                           "pair": [begin, first, end, end, second, end], "special_tokens": special},
        "decoder": metaspace,
        "model": {"type": "Unigram", "unk_id": 3, "vocab": vocabulary, "byte_fallback": False},
    }  # fmt: skip
    return json.dumps(tokenizer, ensure_ascii=False)


def main() -> None:
    strings = json.loads((GOLDEN / "hard-strings.json").read_text(encoding="utf-8"))["strings"]
    model = train(strings[:1500])
    unigram = tokenizer_json(model)
    question = {"folder": str(GOLDEN / "roberta"), "unigram": unigram, "strings": strings[-STRINGS:]}
    answer = subprocess.run(["node", "-e", REFERENCE], input=json.dumps(question), capture_output=True, text=True, check=True)
    ids = json.loads(answer.stdout)
    pieces = sentencepiece.SentencePieceProcessor(model_proto=model)
    # Fairseq counts one token more before the pieces, and its unknown one is the last of these.
    ids["sentencePiece"] = [[3 if i == 0 else i + 1 for i in pieces.encode(text)] for text in strings[-STRINGS:]]
    for name, text in (("tokenizer", unigram), ("ids", json.dumps(ids, separators=(",", ":")))):
        path = GOLDEN / f"subword-{name}.json.gz"
        path.write_bytes(gzip.compress(text.encode(), mtime=0))
        print(f"{path}: {path.stat().st_size:,} bytes")


if __name__ == "__main__":
    main()
