"""What a widget's Python object and its front end say to each other, beside the traits."""

from __future__ import annotations

import uuid
from collections.abc import Callable, Mapping
from concurrent.futures import Future
from typing import Any

from .errors import BertscopeError

#: Buffers of a message.
Buffers = list[Any]
#: Answers one kind of question: with the fields of the answer and its buffers.
Handler = Callable[[Mapping[str, Any], Buffers], tuple[dict[str, Any], Buffers]]


class Line:
    """Answers what the front end asks, and asks it. One side asks by `ask` and `id`, the other one answers."""

    def __init__(self, send: Callable[[dict[str, Any], Buffers], None], handlers: Mapping[str, Handler]) -> None:
        self._send = send
        self._handlers = handlers
        self._waiting: dict[str, Future[Buffers]] = {}

    def ask(self, name: str, **details: Any) -> Future[Buffers]:
        """Asks the front end. The kernel takes the answer after the cell that runs now."""
        number = uuid.uuid4().hex
        future: Future[Buffers] = Future()
        self._waiting[number] = future
        self._send({**details, "ask": name, "id": number}, [])
        return future

    def receive(self, content: Any, buffers: Buffers) -> None:
        """Takes a message of the front end."""
        if not isinstance(content, dict):
            return
        if "answer" in content:
            # Several pages may be open on one kernel, and each answers.
            future = self._waiting.pop(content["answer"], None)
            if future is None:
                return
            if "error" in content:
                future.set_exception(BertscopeError(str(content["error"])))
            else:
                future.set_result(buffers)
        elif "ask" in content:
            self._answer(content, buffers)

    def _answer(self, content: dict[str, Any], buffers: Buffers) -> None:
        number, name = content.get("id"), content["ask"]
        try:
            handler = self._handlers.get(name)
            if handler is None:
                raise BertscopeError(f"expected a question of this version, found {name!r}")
            answer, found = handler(content, buffers)
            self._send({**answer, "answer": number}, found)
        except (BertscopeError, OSError, KeyError, TypeError, ValueError) as error:
            self._send({"answer": number, "error": str(error)}, [])
