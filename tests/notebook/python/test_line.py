"""Questions and answers between Python and the notebook's page meet each other."""

from __future__ import annotations

import unittest
from typing import Any

from bertscope import BertscopeError
from bertscope.line import Line


class LineTest(unittest.TestCase):
    def setUp(self) -> None:
        self.sent: list[tuple[dict[str, Any], list[Any]]] = []
        handlers = {"twice": lambda content, buffers: ({"number": 2 * content["number"]}, buffers)}
        self.line = Line(lambda content, buffers: self.sent.append((content, buffers)), handlers)

    def test_a_question_of_the_page_is_answered(self) -> None:
        self.line.receive({"ask": "twice", "id": "7", "number": 4}, [b"ab"])
        self.assertEqual(self.sent, [({"number": 8, "answer": "7"}, [b"ab"])])

    def test_a_question_that_cannot_be_answered_gets_the_reason(self) -> None:
        self.line.receive({"ask": "thrice", "id": "8"}, [])
        self.assertEqual(self.sent[0][0]["error"], "expected a question of this version, found 'thrice'")

    def test_the_first_of_several_pages_answers(self) -> None:
        future = self.line.ask("matrix", layer=3)
        asked = self.sent[0][0]
        self.assertEqual((asked["ask"], asked["layer"]), ("matrix", 3))
        for answer in (b"first", b"second"):
            self.line.receive({"answer": asked["id"]}, [answer])
        self.assertEqual(future.result(0), [b"first"])

    def test_an_error_of_the_page_is_raised(self) -> None:
        future = self.line.ask("figure")
        self.line.receive({"answer": self.sent[0][0]["id"], "error": "no picture"}, [])
        with self.assertRaisesRegex(BertscopeError, "no picture"):
            future.result(0)
