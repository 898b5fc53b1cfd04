"""Attention of every form that models return becomes the same arrays, and what is wrong is said."""

from __future__ import annotations

import json
import unittest
from types import SimpleNamespace

import numpy as np
from bertscope import BertscopeError, snapshot

TOKENS = ["[CLS]", "le", "chat", "[SEP]"]


def rows(*shape: int) -> np.ndarray:
    weights = np.random.default_rng(len(shape)).random(shape, dtype=np.float32)
    return weights / weights.sum(-1, keepdims=True)


WEIGHTS = rows(2, 3, 4, 4)


class Tensor:
    """Stands for PyTorch's tensors, which NumPy does not take while they have gradients."""

    def __init__(self, array: np.ndarray) -> None:
        self._array = array

    def detach(self) -> Tensor:
        return self

    cpu = float = detach

    def is_floating_point(self) -> bool:
        return True

    def __len__(self) -> int:
        return len(self._array)

    def numpy(self) -> np.ndarray:
        return self._array


class Encoding(dict):
    """Stands for what a fast tokenizer returns."""

    encodings = [SimpleNamespace(type_ids=[0, 0, 1, 1], special_tokens_mask=[1, 0, 0, 1])]

    def tokens(self) -> list[str]:
        return TOKENS


class SnapshotTest(unittest.TestCase):
    def test_arrays_lists_and_tensors_with_and_without_a_batch_are_the_same(self) -> None:
        forms = [
            WEIGHTS,
            WEIGHTS[:, None],
            WEIGHTS.tolist(),
            tuple(WEIGHTS[:, None]),
            tuple(Tensor(layer) for layer in WEIGHTS[:, None]),
            Tensor(WEIGHTS.astype(np.float64)),
        ]
        for form in forms:
            np.testing.assert_array_equal(snapshot(TOKENS, form).part(), WEIGHTS)

    def test_a_tokenizers_output_names_tokens_and_sentences(self) -> None:
        found = snapshot(Encoding(), SimpleNamespace(attentions=WEIGHTS, cross_attentions=()))
        self.assertEqual(list(found.parts), ["all"])
        self.assertEqual(found.tokens["all"][0], TOKENS)
        self.assertEqual(found.about["token_type_ids"], [0, 0, 1, 1])
        self.assertEqual(found.about["special_tokens_mask"], [1, 0, 0, 1])

    def test_an_encoder_decoder_output_has_three_parts(self) -> None:
        output = SimpleNamespace(
            encoder_attentions=WEIGHTS, decoder_attentions=rows(2, 3, 2, 2), cross_attentions=rows(2, 3, 2, 4)
        )
        found = snapshot(TOKENS, output, decoder_tokens=["the", "cat"])
        self.assertEqual(list(found.parts), ["encoder", "decoder", "cross"])
        self.assertEqual(found.tokens["cross"], (["the", "cat"], TOKENS))
        fields = found.fields()
        self.assertEqual((fields["encoder_tokens"], fields["decoder_tokens"]), (TOKENS, ["the", "cat"]))
        self.assertEqual(fields["cross_attention"].shape, (2, 3, 2, 4))

    def test_json_of_a_large_picture_has_the_heads_that_are_shown(self) -> None:
        small = json.loads(snapshot(TOKENS, WEIGHTS, text="le chat").json())
        self.assertEqual(np.shape(small["attentions"]), (2, 3, 4, 4))
        self.assertEqual(small["text"], "le chat")
        tokens = [str(number) for number in range(200)]
        large = json.loads(snapshot(tokens, rows(3, 4, 200, 200)).json(layer=1, heads=[2]))["attentions"]
        kept = [(layer, head) for layer in range(3) for head in range(4) if large[layer][head] is not None]
        self.assertEqual(kept, [(1, 2)])

    def test_what_cannot_be_drawn_is_refused_in_a_sentence(self) -> None:
        cases = [
            ((TOKENS, None), {}, "attentions: expected weights, found none; call the model with output_attentions=True"),
            ((TOKENS, (None, None)), {}, 'found None; load the model with attn_implementation="eager"'),
            ((TOKENS[1:], WEIGHTS), {}, "expected 3 x 3 weights in each head, as many as tokens, found 4 x 4"),
            ((TOKENS, rows(2, 2, 3, 4, 4)), {}, "expected a batch of one text, found 2"),
            ((TOKENS, WEIGHTS[0]), {}, "expected layers x heads x queries x keys, found 3 x 4 x 4"),
            ((TOKENS, [WEIGHTS[0], WEIGHTS[1][:2]]), {}, "expected layers of one shape, found (3, 4, 4), (2, 4, 4)"),
            (([1, 2, 3, 4], WEIGHTS), {}, "tokens: expected strings, found int; for ids"),
            (("le chat", WEIGHTS), {}, "tokens: expected a list of strings, found 'le chat'"),
            ((TOKENS,), {"cross_attentions": rows(1, 1, 2, 4)}, "cross_attentions: expected decoder_tokens beside it"),
            ((TOKENS, WEIGHTS), {"token_type_ids": [0, 1]}, "token_type_ids: expected 4 numbers, one a token, found 2"),
        ]
        for given, named, sentence in cases:
            with self.subTest(sentence), self.assertRaises(BertscopeError) as raised:
                snapshot(*given, **named)
            self.assertIn(sentence, str(raised.exception))
