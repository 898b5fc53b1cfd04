"""The tokens: whole words for what is read, and single digits.

A whole word makes an edge of the cross attention say something: `03` looks at `march`, not at an `m`. Single
digits make each digit that is written point at the one that it is read from, keep all years within ten
tokens, and are shared by both sides. A text has about 10 tokens, an answer 11, so each fits a view.
"""

from __future__ import annotations

import re
from typing import Any

from forms import FEASTS, FIELD, IN_NUMBERS, IN_WORDS, INCOMPLETE, MONTHS, SHORT_WEEKDAYS, WEEKDAYS, WITH_FEAST, Example
from numerals import CARDINALS, ORDINALS, ROMAN, TENS

PAD, START, END, UNKNOWN = range(4)
SPECIAL_TOKENS = ("<pad>", "<s>", "</s>", "<unk>")
UNSAID = "X"
ANSWER_LENGTH = 11  # with its end
# What BertPreTokenizer and Digits split small letters into.
SPLIT = re.compile(r"\d|[^\W\d_]+|[^\w\s]|_")


def split(text: str) -> list[str]:
    return SPLIT.findall(text.lower())


def all_tokens() -> tuple[str, ...]:
    """In the order of their ids."""
    forms = " ".join((*IN_WORDS, *IN_NUMBERS, *WITH_FEAST, *INCOMPLETE))
    words = " ".join(
        (*MONTHS, *(month[:3] for month in MONTHS), "Sept", *ROMAN, *CARDINALS[1:], *TENS[1:], *ORDINALS.values())
        + (*(f"{name}th" for name in CARDINALS[1:] if name not in ORDINALS), "oh hundred thousand and st nd rd th", *WEEKDAYS, *SHORT_WEEKDAYS, *FEASTS, "AD CE a d")
        + (FIELD.sub(" ", forms), ". , - / :")
    )
    found = dict.fromkeys(token for token in split(words) if not token.isdigit())
    return (*SPECIAL_TOKENS, *"0123456789", UNSAID, *found)


TOKENS = all_tokens()
IDS = {token: index for index, token in enumerate(TOKENS)}


def encode(text: str) -> list[int]:
    """A text's ids, the end included. A word that no date has is unknown."""
    return [*(IDS.get(token, UNKNOWN) for token in split(text)), END]


def encode_example(example: Example) -> tuple[list[int], list[tuple[int, ...]]]:
    """The ids of the text, and for each the places of the digits that it says."""
    ids: list[int] = []
    said: list[tuple[int, ...]] = []
    for text, places in example.pieces:
        found = encode(text)[:-1]
        ids += found
        said += [places] * len(found)
    return [*ids, END], [*said, ()]


def encode_iso(iso: str) -> list[int]:
    """The ids of an answer, the end included."""
    return [*(IDS[sign] for sign in iso), END]


def decode(ids: list[int]) -> str:
    """The text of an answer, up to its end."""
    return "".join(TOKENS[index] for index in ids[: ids.index(END) if END in ids else None])


def tokenizer_json() -> dict[str, Any]:
    """What Hugging Face's tokenizers read."""
    added = [
        {"id": index, "content": token, "single_word": False, "lstrip": False, "rstrip": False}
        | {"normalized": False, "special": True}
        for index, token in enumerate(SPECIAL_TOKENS)
    ]
    end = SPECIAL_TOKENS[END]
    single = [{"Sequence": {"id": "A", "type_id": 0}}, {"SpecialToken": {"id": end, "type_id": 0}}]
    return {
        "version": "1.0",
        "truncation": None,
        "padding": None,
        "added_tokens": added,
        "normalizer": {"type": "Lowercase"},
        "pre_tokenizer": {
            "type": "Sequence",
            "pretokenizers": [{"type": "BertPreTokenizer"}, {"type": "Digits", "individual_digits": True}],
        },
        "post_processor": {
            "type": "TemplateProcessing",
            "single": single,
            "pair": [*single, {"Sequence": {"id": "B", "type_id": 0}}, {"SpecialToken": {"id": end, "type_id": 0}}],
            "special_tokens": {end: {"id": end, "ids": [END], "tokens": [end]}},
        },
        "decoder": {"type": "Fuse"},
        "model": {
            "type": "WordPiece",
            "unk_token": SPECIAL_TOKENS[UNKNOWN],
            "continuing_subword_prefix": "##",
            "max_input_chars_per_word": 100,
            "vocab": IDS,
        },
    }
