"""Numbers from 1 to 2999 as English words, each with the places of the digits that it says.

A piece is a text and the places; what only stands between others says none.
"""

from __future__ import annotations

import random

Piece = tuple[str, tuple[int, ...]]

CARDINALS = (
    "zero one two three four five six seven eight nine ten eleven twelve thirteen fourteen fifteen sixteen seventeen "
    "eighteen nineteen"
).split()
TENS = "zero ten twenty thirty forty fifty sixty seventy eighty ninety".split()
ORDINALS = {"one": "first", "two": "second", "three": "third", "five": "fifth", "eight": "eighth", "nine": "ninth"} | {
    "twelve": "twelfth", "twenty": "twentieth", "thirty": "thirtieth"
}  # fmt: skip
ROMAN = "i ii iii iv v vi vii viii ix x xi xii".split()


def digits(number: str, first: int) -> list[Piece]:
    """Each digit says itself."""
    return [(digit, (first + index,)) for index, digit in enumerate(number)]


def cardinal(number: int, first: int, join: str = "-") -> list[Piece]:
    """A number below 100, whose tens are at the place `first`: `twenty-three`."""
    tens, ones = divmod(number, 10)
    if number < 20:
        return [(CARDINALS[number], (first, first + 1))]
    if ones == 0:
        return [(TENS[tens], (first, first + 1))]
    return [(TENS[tens], (first,)), (join, ()), (CARDINALS[ones], (first + 1,))]


def ordinal(number: int, first: int, join: str = "-") -> list[Piece]:
    """`twenty-third`."""
    *head, (last, places) = cardinal(number, first, join)
    return [*head, (ORDINALS.get(last, f"{last}th"), places)]


def suffix(number: int) -> str:
    """`rd` of 23rd."""
    if number // 10 == 1:
        return "th"
    return {1: "st", 2: "nd", 3: "rd"}.get(number % 10, "th")


def year_words(year: int, rng: random.Random) -> list[Piece]:
    """`nineteen eighty-four`, `two thousand and twenty-one`, `nineteen oh five`, ... at the places 0 to 3."""
    join = rng.choice("-- ")
    linked = rng.choice((" and ", " "))
    hundreds, rest = divmod(year, 100)
    after = [(linked, ()), *cardinal(rest, 2, join)] if rest else []
    thousands = (CARDINALS[hundreds // 10], (0,))
    unsaid = () if rest else (2, 3)  # the zeros that the word before them says
    if hundreds % 10 == 0 and (rest == 0 or rng.random() < 0.5):
        return [thousands, (" ", ()), ("thousand", (1, *unsaid)), *after]
    style = rng.random()
    if style < 0.15 and hundreds % 10:
        hundred = [(" thousand ", ()), (CARDINALS[hundreds % 10], (1,)), (" ", ()), ("hundred", unsaid)]
        return [thousands, *hundred, *after]
    if rest == 0 or (style < 0.3 and hundreds % 10):
        return [*cardinal(hundreds, 0, join), (" ", ()), ("hundred", unsaid), *after]
    if rest < 10:
        return [*cardinal(hundreds, 0, join), (" ", ()), ("oh", (2,)), (" ", ()), (CARDINALS[rest], (3,))]
    return [*cardinal(hundreds, 0, join), (" ", ()), *cardinal(rest, 2, join)]
