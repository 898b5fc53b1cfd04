"""The texts that published models are compared on: at least 200, of the kinds that readers type and that break."""

from __future__ import annotations

import json
from pathlib import Path

ROOT = Path(__file__).parents[2]

ODD = [
    "",
    " ",
    "a",
    ".",
    "[CLS] already has [SEP] special tokens [MASK]",
    "def f(x: int) -> int:\n    return x ** 2  # squared",
    "SELECT name, count(*) FROM users WHERE age >= 21 GROUP BY name;",
    '{"id": 7, "tags": ["a", "b"], "ok": null}',
    "for (let i = 0; i < 10; i++) { console.log(`row ${i}`); }",
    "<p class=\"lead\">It&rsquo;s &lt;bold&gt;</p>",
    "https://example.org/path?query=1&other=%20#part",
    "someone@example.org wrote at 12:30 on 2024-02-29.",
    "🙂 what a day 🎉🎉 thank you so much 🙏🏽 👩‍👩‍👧‍👦",
    "Flags: 🇩🇪🇯🇵 and a keycap 1️⃣",
    "我喜欢在北京学习自然语言处理。",
    "東京は日本の首都です。寿司が好き。",
    "한국어 문장도 읽을 수 있습니다.",
    "I said 你好 to the 先生 in Tokyo.",
    "Café naïve façade, Ångström, Œuvre, São Paulo, Čapek, İstanbul, ß.",
    "cafe\u0301 nai\u0308ve A\u030angstro\u0308m",
    "Привет, как дела? Всё хорошо.",
    "Γειά σου Κόσμε, τι κάνεις;",
    "مرحبا بالعالم، كيف حالك؟",
    "שלום עולם, מה שלומך?",
    "สวัสดีชาวโลก",
    "नमस्ते दुनिया, आप कैसे हैं?",
    "x² + y² = r², ∑ aᵢ ≤ ∞, ½ ≠ ⅓, 5 µm, 20 °C",
    "“Quotes” — dashes – and… ellipses ‘single’ «guillemets»",
    "tabs\tand\nnew\r\nlines  and   many    spaces\u00a0and\u2003wide\u200bnone",
    "supercalifragilisticexpialidocious antidisestablishmentarianism pneumonoultramicroscopicsilicovolcanoconiosis",
    "a" * 150,
    "ALL CAPITALS SHOUT, sMaLl MiXeD cAsE",
    "1234567890 3.14159 1,000,000 -42 6.02e23 0xdeadbeef",
    "!!! ??? ... ,,, ;;; ((( ))) [[[ ]]] {{{ }}}",
    "control\u0000chars\u0007and\u001fsuch\ufffd\ufeff",
    "won't can't it's o'clock rock 'n' roll y'all'd've",
    "e-mail state-of-the-art 24/7 A/B and/or C++ C# .NET AT&T",
    "No capital letters here and no end",
    "buffalo buffalo buffalo buffalo buffalo buffalo buffalo buffalo",
    "The the the the the the the the the the the the the the the the",
    "𝓯𝓪𝓷𝓬𝔂 𝕥𝕖𝕩𝕥 ｆｕｌｌｗｉｄｔｈ ﬁ ligature",
    "word" + "\u0301" * 20,
]


def published_texts() -> list[dict[str, str]]:
    """Returns dictionaries of `text`, `pair` where there is one, and the `kind` of text."""
    lines = [
        line
        for name in ("everyday_sentences.txt", "example_sentences.txt")
        for line in (ROOT / "scripts/train" / name).read_text(encoding="utf-8").splitlines()
        if line
    ]
    texts = [{"kind": "sentence", "text": line} for line in lines]
    texts += [{"kind": "odd", "text": text} for text in ODD]
    pairs = list(zip(lines[::2], lines[1::2]))[:30]
    texts += [{"kind": "pair", "text": a, "pair": b} for a, b in pairs]
    # Texts of some 20 to 500 tokens.
    for count in (2, 3, 4, 6, 8, 10, 12, 16, 20, 24, 32):
        for start in (0, 40):
            texts.append({"kind": "long", "text": " ".join(lines[start : start + count])})
    texts.append({"kind": "cut", "text": " ".join(lines)[:3000]})
    texts.append({"kind": "cut", "text": " ".join(lines)})
    texts.append({"kind": "pair", "text": " ".join(lines[:30]), "pair": " ".join(lines[30:70])})
    return texts


if __name__ == "__main__":
    print(json.dumps(published_texts(), ensure_ascii=False, indent=1))
