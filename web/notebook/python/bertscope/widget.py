"""The widget: `<bert-scope>` in a notebook."""

from __future__ import annotations

import os
from collections.abc import Mapping
from concurrent.futures import Future
from pathlib import Path
from typing import Any

import anywidget
import numpy as np
import traitlets

from .errors import BertscopeError
from .fields import ATTRIBUTES, Fields
from .line import Buffers, Line
from .models import GivenModel, given_model, read_piece
from .page import STATIC, framed, not_drawn, saved_page
from .result import Result
from .snapshot import Snapshot, snapshot

#: What must be equal for a result to be that of the widget's fields.
SOURCE = ("text", "text_pair", "interventions", "no_special_tokens", "src")

#: The files of this package that the page asks for.
PACKAGE_FILES = ("worker.js", "bertscope-default.safetensors", "bertscope-frozen.js")

NOTHING_YET = (
    "expected a result of the widget's picture, found none yet; draw the widget in one cell and read its result in a later "
    "one, after the picture has appeared"
)


class Scope(anywidget.AnyWidget, Fields):
    """A picture of attention. Its fields are those of `<bert-scope>`: read what the reader chose, set what they see."""

    _esm = STATIC / "widget.js"

    _saved = traitlets.Dict(default_value=None, allow_none=True).tag(sync=True)

    selection = traitlets.Dict(
        help="The layer, heads, filter and pinned token that are shown, with layers and heads that exist. Setting a part "
        "of it changes that part."
    ).tag(sync=True)

    results = traitlets.Int(
        0, help="How many results have come. Observe it, or read it in a reactive notebook, to act on each new result."
    ).tag(sync=True)

    def __init__(self, *, saved: Snapshot | None = None, model: GivenModel | None = None, **fields: Any) -> None:
        for name in fields:
            if name not in ATTRIBUTES:
                raise BertscopeError(f"expected fields of {', '.join(ATTRIBUTES)}; found {name}")
        self._snapshot = saved
        self._model = model
        self._latest: tuple[Result, dict[str, Any]] | None = None
        self._matrices: dict[tuple[int, int], Any] = {}
        self._line = Line(self.send, {"piece": self._piece, "listing": self._listing, "result": self._take_result})
        if saved:
            arrays = {
                name: {"values": value.tobytes(), "shape": list(value.shape)} if isinstance(value, np.ndarray) else value
                for name, value in saved.fields().items()
            }
            fields["_saved"] = arrays
        super().__init__(**fields)
        self.on_msg(lambda _, content, buffers: self._line.receive(content, buffers))

    # What Python reads

    @property
    def result(self) -> Result:
        """The result of the text that the widget has now.

        Of `attention`, it is there at once. Of `live`, the notebook's page computes it: draw the widget in one cell, and
        read the result in a later one. Before the picture has appeared, or while a newer text runs, this raises.

        Raises:
            BertscopeError: There is no result yet, or it is not that of the text and the changes of now.
        """
        if self._snapshot:
            return self._saved_result(self._snapshot)
        if self._latest is None:
            raise BertscopeError(NOTHING_YET)
        result, source = self._latest
        wanted = self._source()
        if source != wanted:
            name = next(name for name in SOURCE if source[name] != wanted[name])
            raise BertscopeError(
                f"expected the result of {name} {wanted[name]!r}, found that of {source[name]!r}; read it in a later cell"
            )
        return result

    def save(self, path: str | os.PathLike[str]) -> Future[Path]:
        """Writes the picture: `.svg` or `.png` as the widget shows it, or `.html`, a page that needs nothing else.

        The notebook's page draws images, so the widget must be drawn. The kernel takes its answer after this cell, and then
        the file is there: to wait for it in the same cell would be to wait for ever.

        Returns:
            A future of the path. It fails if the page has no picture.

        Raises:
            BertscopeError: The path ends otherwise, or there is no result for a page.
        """
        target = Path(path).expanduser()
        kind = target.suffix.lower().removeprefix(".")
        saving: Future[Path] = Future()
        if kind == "html":
            shown = self._snapshot or _snapshot_of(self.result)
            target.write_text(saved_page(shown, self._attributes()), encoding="utf-8")
            saving.set_result(target)
            return saving
        if kind not in ("svg", "png"):
            raise BertscopeError(f"{target}: expected a name that ends in .svg, .png or .html, found “{target.name}”")

        def write(answer: Future[Buffers]) -> None:
            try:
                target.write_bytes(bytes(answer.result()[0]))
                saving.set_result(target)
            except Exception as error:  # noqa: BLE001  (The future has it.)
                saving.set_exception(error)

        self._line.ask("figure", format=kind).add_done_callback(write)
        return saving

    # What the page asks

    def _piece(self, content: Mapping[str, Any], _: Buffers) -> tuple[dict[str, Any], Buffers]:
        path = str(content["path"])
        if content["of"] == "package":
            if path not in PACKAGE_FILES:
                raise BertscopeError(f"expected a file of {', '.join(PACKAGE_FILES)}, found {path}")
            place = STATIC / path
        elif self._model:
            place = self._model.path(path)
        else:
            raise BertscopeError(f"expected a model that Python gave, found none for {path}")
        return {"bytes": place.stat().st_size}, [read_piece(place, int(content["offset"]))]

    def _listing(self, *_: Any) -> tuple[dict[str, Any], Buffers]:
        if not self._model:
            raise BertscopeError("expected a model that Python gave, found none")
        return {"name": self._model.name, "files": self._model.listing()}, []

    def _take_result(self, content: Mapping[str, Any], buffers: Buffers) -> tuple[dict[str, Any], Buffers]:
        count, layers, heads = len(content["tokens"]), int(content["layers"]), int(content["heads"])
        weights = None
        if buffers:
            joined = b"".join(bytes(layer) for layer in buffers)
            weights = np.frombuffer(joined, dtype="<f4").reshape(layers, heads, count, count)
        facts = {name: content[name] for name in ("text", "text_pair", "tokens", "ids", "token_type_ids", "truncated")}
        self._matrices.clear()
        result = Result(
            **facts,
            key_tokens=content["tokens"],
            layers=layers,
            heads=heads,
            model=content["model"],
            _weights=weights,
            _fetch=self._fetch,
        )
        self._latest = result, {name: content[name] for name in SOURCE}
        return {}, []

    def _fetch(self, layer: int, head: int) -> Any:
        """One head of a result that is too large to be sent whole."""
        result = self.result
        answer = self._matrices.get((layer, head))
        if answer is None or (answer.done() and answer.exception()):
            answer = self._matrices[layer, head] = self._line.ask("matrix", layer=layer, head=head)
        if not answer.done():
            raise BertscopeError(
                f"expected the weights of layer {layer}, head {head}, found them on their way from the page; "
                "run this cell again"
            )
        count = len(result.tokens)
        return np.frombuffer(bytes(answer.result()[0]), dtype="<f4").reshape(count, count)

    # What is kept where no widget can be

    def _repr_mimebundle_(self, **kwargs: Any) -> tuple[dict[str, Any], dict[str, Any]] | None:
        bundle = super()._repr_mimebundle_(**kwargs)
        if bundle is None:
            return None
        data, metadata = bundle
        return {**data, "text/html": self._html(), "text/plain": repr(self)}, metadata

    def _html(self) -> str:
        """The picture for exported notebooks: the saved one, if Python has its numbers."""
        shown = self._snapshot
        if shown is None and self._latest and self._latest[0]._weights is not None:
            shown = _snapshot_of(self._latest[0])
        if shown is None:
            return not_drawn(self.text)
        rows = max(len(side) for sides in shown.tokens.values() for side in sides)
        return framed(saved_page(shown, self._attributes()), rows, has_controls=self.controls is True)

    def _attributes(self) -> dict[str, str | bool]:
        """The attributes of a tag that shows the same of numbers that it holds."""
        written: dict[str, str | bool] = {}
        for name, attribute in ATTRIBUTES.items():
            value = getattr(self, name)
            if name in (*SOURCE, "compare") or value == self.trait_defaults(name):
                continue
            written[attribute] = ".".join(map(str, value)) if isinstance(value, list) else _text_of(value)
        return written

    def _source(self) -> dict[str, Any]:
        values = {name: getattr(self, name) for name in SOURCE}
        return {**values, "text_pair": self.text_pair if self.text_pair.strip() else ""}

    def _saved_result(self, saved: Snapshot) -> Result:
        part = self.filter if self.filter in saved.parts else next(iter(saved.parts))
        weights = saved.parts[part]
        queries, keys = saved.tokens[part]
        about = saved.about
        return Result(
            text=about.get("text", ""),
            text_pair="",
            tokens=queries,
            key_tokens=keys,
            ids=[],
            token_type_ids=about.get("token_type_ids") or [0] * len(queries),
            layers=weights.shape[0],
            heads=weights.shape[1],
            truncated=0,
            model=about.get("model", ""),
            _weights=weights,
        )

    def __repr__(self) -> str:
        shown = f"attention of {len(next(iter(self._snapshot.tokens.values()))[0])} tokens" if self._snapshot else self.text
        return f"<bertscope.Scope: {shown!r}, view={self.view!r}, layer={self.layer}>"


def _text_of(value: Any) -> str | bool:
    return value if isinstance(value, bool) else str(value)


def _snapshot_of(result: Result) -> Snapshot:
    tokens = list(result.tokens)
    text = " / ".join(text for text in (result.text, result.text_pair) if text)
    about = {"text": text, "model": result.model, "token_type_ids": list(result.token_type_ids)}
    return Snapshot({"all": result.attentions}, {"all": (tokens, tokens)}, about)


def attention(
    tokens: Any = None,
    attentions: Any = None,
    *,
    encoder_tokens: Any = None,
    decoder_tokens: Any = None,
    encoder_attentions: Any = None,
    decoder_attentions: Any = None,
    cross_attentions: Any = None,
    token_type_ids: Any = None,
    special_tokens_mask: Any = None,
    text: str = "",
    model: str = "",
    **fields: Any,
) -> Scope:
    """Draws the attention that any transformers model returned. The arguments are those of `snapshot`, and fields::

        inputs = tokenizer("time flies", return_tensors="pt")
        bertscope.attention(inputs, model(**inputs, output_attentions=True))
        bertscope.attention(tokens, weights, view="matrix", layer=3, heads=[0, 4])

    Returns:
        The widget, whose `result` is there at once.
    """
    given = snapshot(
        tokens,
        attentions,
        encoder_tokens=encoder_tokens,
        decoder_tokens=decoder_tokens,
        encoder_attentions=encoder_attentions,
        decoder_attentions=decoder_attentions,
        cross_attentions=cross_attentions,
        token_type_ids=token_type_ids,
        special_tokens_mask=special_tokens_mask,
        text=text,
        model=model,
    )
    return Scope(saved=given, **{"controls": True, **fields})


def live(text: str = "", text_pair: str = "", *, model: Any = None, tokenizer: Any = None, **fields: Any) -> Scope:
    """Runs a model in the notebook's page, on texts that the reader types. No network is needed.

    Args:
        text: The first text.
        text_pair: The second text of a pair.
        model: The small model of this package unless given. Or the path of a Hugging Face folder or of a quantized file;
            a model of transformers, whose weights are sent to the page; or, from the network, `hub:owner/name`.
        tokenizer: The tokenizer of a model of transformers.
        fields: Fields of the widget, such as `view="matrix"`, `layer=3`, `heads=[0, 4]`, `interventions="off=3.1"`.
    """
    given = None
    if isinstance(model, str) and model.startswith(("hub:", "https://")):
        fields["src"] = model
    elif model is not None:
        given = given_model(model, tokenizer)
        fields["src"] = given.address
    return Scope(model=given, **{"text": text, "text_pair": text_pair, "controls": True, **fields})
