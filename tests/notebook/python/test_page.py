"""A saved page holds the picture and nothing that ends it early."""

from __future__ import annotations

import unittest
from unittest import mock

import numpy as np
from bertscope import page, snapshot
from bertscope.page import framed, not_drawn, saved_page

TEMPLATE = '<title>@title@</title><bert-scope data-attributes="@attributes@"><script>@snapshot@</script></bert-scope>'


class PageTest(unittest.TestCase):
    def setUp(self) -> None:
        patch = mock.patch.object(page, "_template", return_value=TEMPLATE)
        patch.start()
        self.addCleanup(patch.stop)

    def test_tokens_and_attributes_are_escaped(self) -> None:
        saved = snapshot(["</script>"], np.ones((1, 1, 1, 1)), text='a "<b>"')
        written = saved_page(saved, {"view": 'x"y', "controls": True, "large": False, "heads": ""})
        self.assertIn("<title>a &quot;&lt;b&gt;&quot;</title>", written)
        self.assertIn('<bert-scope view="x&quot;y" controls>', written)
        self.assertNotIn("</script>\"]", written)
        self.assertIn("\\u003c/script>", written)

    def test_a_text_that_looks_like_a_mark_stays_a_text(self) -> None:
        saved = snapshot(["@title@", " onload=x "], np.eye(2)[None, None], text='@snapshot@ data-attributes="@attributes@"')
        written = saved_page(saved, {"token": "@snapshot@"})
        self.assertIn("<title>@snapshot@ data-attributes=&quot;@attributes@&quot;</title>", written)
        self.assertIn('<bert-scope token="@snapshot@"><script>{', written)
        self.assertIn('"tokens":["@title@"," onload=x "]', written)

    def test_half_of_a_pair_is_replaced(self) -> None:
        written = saved_page(snapshot(["\ud800"], np.ones((1, 1, 1, 1)), text="\udc00"), {})
        self.assertIn("<title>?</title>", written)
        self.assertIn('"tokens":["?"]', written)

    def test_a_text_without_a_picture_is_escaped(self) -> None:
        self.assertEqual(
            not_drawn("<img src=x onerror=alert(1)>"),
            "<p>A live bertscope of &#x27;&lt;img src=x onerror=alert(1)&gt;&#x27;: run the notebook to see it.</p>",
        )

    def test_a_frame_holds_the_page_as_one_attribute(self) -> None:
        frame = framed('<p title="a">', 10)
        self.assertIn('srcdoc="&lt;p title=&quot;a&quot;&gt;"', frame)
        self.assertIn("height: 470px", frame)
        self.assertIn("height: 640px", framed("", 10, has_controls=True))
        self.assertIn("height: 900px", framed("", 100))
