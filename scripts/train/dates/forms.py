"""Dates as people write them, each with its ISO date: an endless deterministic stream of examples.

A form is a text with fields in braces. What a field becomes says some digits of the ISO date, so an example
knows which of its words each digit is read from.
"""

from __future__ import annotations

import random
import re
import zlib
from dataclasses import dataclass
from datetime import date, timedelta

from numerals import ROMAN, Piece, cardinal, digits, ordinal, suffix, year_words

MONTHS = "January February March April May June July August September October November December".split()
WEEKDAYS = "Monday Tuesday Wednesday Thursday Friday Saturday Sunday".split()
SHORT_WEEKDAYS = ("Mon", "Tue Tues", "Wed", "Thu Thurs", "Fri", "Sat", "Sun")

# Feasts that fall on the same day of every year.
FEASTS = {
    "New Year's Day": (1, 1), "Valentine's Day": (2, 14), "Saint Patrick's Day": (3, 17), "April Fools' Day": (4, 1),
    "Halloween": (10, 31), "Christmas Eve": (12, 24), "Christmas Day": (12, 25), "Christmas": (12, 25),
    "Boxing Day": (12, 26), "New Year's Eve": (12, 31),
}  # fmt: skip

# Fields: Y year in digits or words, y in digits, p as far as it has been typed; M the month's name, R its Roman number, m and mm its number;
# D the day's ordinal, C its cardinal in words, d and dd its number; H a feast.
IN_WORDS = (
    "{D} of {M} {Y}", "the {D} of {M} {Y}", "the {D} of {M}, {Y}", "{D} {M} {Y}", "{D} {M}, {Y}", "{M} {D}, {Y}",
    "{M} {D} {Y}", "{M} the {D}, {Y}", "{d} {M} {Y}", "{d} {M} {y}", "{d} {M}, {y}", "{M} {d}, {y}", "{M} {d} {y}",
    "{M} {C}, {Y}", "{y}, {M} {d}", "{y} {M} {d}", "{Y}, {M} {D}", "{Y}, the {D} of {M}", "the {D} day of {M} in {Y}",
    "the {D} day of {M}, {Y}", "the {D} day of {M} in the year {Y}", "the {D} of {M} of the year {Y}",
    "the {D} of {M} in {Y}", "in {Y}, on the {D} of {M}", "in {Y}, on {M} {D}", "in the year {Y}, {M} {D}",
)  # fmt: skip
IN_NUMBERS = (
    "{y}-{mm}-{dd}", "{y}/{mm}/{dd}", "{y}.{mm}.{dd}", "{y}{mm}{dd}", "{dd}.{mm}.{y}", "{d}.{m}.{y}", "{d}. {m}. {y}",
    "{d}. {M} {y}", "{d}.{R}.{y}", "{d}-{M}-{y}", "{d}/{M}/{y}", "{d}{M}{y}", "{y}-{M}-{d}", "{M}-{d}-{y}",
    "year {y}, month {m}, day {d}", "day {d} of month {m}, {y}",
)  # fmt: skip
# Which number is the day is clear only from the 13th on.
CLEAR_AFTER_12 = ("{dd}/{mm}/{y}", "{mm}/{dd}/{y}", "{d}/{m}/{y}", "{m}/{d}/{y}", "{dd}-{mm}-{y}", "{mm}-{dd}-{y}")
WITH_FEAST = ("{H} {Y}", "{H}, {Y}", "{H} of {Y}", "{H} in {Y}", "{H} of the year {Y}", "in {Y} on {H}")
# What is not said becomes X, as in the Extended Date/Time Format (ISO 8601-2).
INCOMPLETE = (
    "{D} of {M}", "the {D} of {M}", "{M} {D}", "{d} {M}", "{M} {d}", "the {D} day of {M}", "{M} {Y}", "{M} of {Y}",
    "{M}, {Y}", "{M}", "in {M}", "{Y}", "in {Y}", "in the year {Y}", "{y}-{mm}", "the {D}", "the {D} day", "{H}", "",
    "the {D} of {M} {p}", "{D} {M} {p}", "{d} {M} {p}", "{M} {d}, {p}",
)  # fmt: skip

BEFORE = (
    "on", "born on", "due by", "dated", "we met on", "the letter of", "it was", "see you on", "signed on", "from",
    "the treaty of paris was signed on", "please reply before", "she arrived on", "they landed on the moon on",
    "the meeting is on", "let us talk again on", "it happened on", "the shop closes on", "he wrote this on", "until",
)  # fmt: skip
AFTER = (
    "at noon", "in paris", "she said", "was a good day", "with my friend", "in the evening", "for the first time",
    "we will see", "at 10:30", "at 9:45", "at 17:05", "at 8:00", "at home", "was cold", "and nobody knew why", "when the war was over",
)  # fmt: skip

FIELD = re.compile(r"\{(\w+)\}")
HELD_OUT_SHARE = 20  # every so many-th date, by a hash, is kept from training
# Where the parts are in an ISO date.
YEAR, MONTH, DAY = (0, 1, 2, 3), (5, 6), (8, 9)


@dataclass(frozen=True)
class Example:
    # The text in pieces, each with the places in the ISO date of the digits that it says.
    pieces: tuple[Piece, ...]
    iso: str

    @property
    def text(self) -> str:
        return "".join(text for text, _ in self.pieces)


def is_held_out(day: date) -> bool:
    return zlib.crc32(day.isoformat().encode()) % HELD_OUT_SHARE == 0


def random_date(rng: random.Random, held_out: bool) -> date:
    """Half of the dates are from 1900 to 2099, half from 1000 to 2999."""
    while True:
        first, last = (date(1900, 1, 1), date(2099, 12, 31)) if rng.random() < 0.5 else (date(1000, 1, 1), date(2999, 12, 31))
        day = first + timedelta(days=rng.randrange((last - first).days + 1))
        if is_held_out(day) == held_out:
            return day


def example(rng: random.Random, held_out: bool = False, incomplete: float = 0.12) -> Example:
    """One example.

    incomplete: the share of those that leave parts of the date unsaid, or all of it.
    """
    day = random_date(rng, held_out)
    form = INCOMPLETE if rng.random() < incomplete else None
    form = rng.choice(form or whole_forms(day, rng))
    feast = rng.choice(list(FEASTS))
    if "{H}" in form:
        day = day.replace(month=FEASTS[feast][0], day=FEASTS[feast][1])
        if is_held_out(day) != held_out:
            return example(rng, held_out, incomplete)
    pieces = filled(form, day, feast, rng)
    said = {place for _, places in pieces for place in places}
    iso = "".join(sign if sign == "-" or place in said else "X" for place, sign in enumerate(day.isoformat()))
    around = cased(in_context(pieces, day, "X" not in iso, rng), rng)
    return Example(tuple((text, places) for text, places in around if text), iso)


def whole_forms(day: date, rng: random.Random) -> tuple[str, ...]:
    kind = rng.random()
    if kind < 0.7:
        return IN_WORDS
    if kind < 0.93:
        return IN_NUMBERS + (CLEAR_AFTER_12 if day.day > 12 else ())
    return WITH_FEAST


def filled(form: str, day: date, feast: str, rng: random.Random) -> list[Piece]:
    pieces: list[Piece] = []
    end = 0
    for match in FIELD.finditer(form):
        pieces += [(form[end : match.start()], ()), *field_pieces(match[1], day, feast, rng)]
        end = match.end()
    return [*pieces, (form[end:], ())]


def field_pieces(field: str, day: date, feast: str, rng: random.Random) -> list[Piece]:
    match field:
        case "Y":
            return year_words(day.year, rng) if rng.random() < 0.35 else digits(str(day.year), 0)
        case "y":
            return digits(str(day.year), 0)
        case "p":
            typed = rng.randrange(1, 4)
            return digits(str(day.year)[:typed], 0) if rng.random() < 0.7 else cardinal(day.year // 100, 0)
        case "M":
            return month_name(day.month, rng)
        case "R":
            return [(ROMAN[day.month - 1].upper(), MONTH)]
        case "m":
            return plain(day.month, MONTH)
        case "mm":
            return digits(f"{day.month:02}", MONTH[0])
        case "D":
            if rng.random() < 0.5:
                return ordinal(day.day, DAY[0], rng.choice("-- "))
            return [*plain(day.day, DAY), (suffix(day.day), ())]
        case "C":
            return cardinal(day.day, DAY[0])
        case "d":
            return plain(day.day, DAY)
        case "dd":
            return digits(f"{day.day:02}", DAY[0])
    return [(feast, (*MONTH, *DAY))]


def plain(number: int, places: tuple[int, ...]) -> list[Piece]:
    """A number without a leading zero, whose one digit then says both."""
    return digits(str(number), places[0]) if number > 9 else [(str(number), places)]


def month_name(month: int, rng: random.Random) -> list[Piece]:
    name = MONTHS[month - 1]
    if len(name) < 4 or rng.random() < 0.6:
        return [(name, MONTH)]
    short = "Sept" if month == 9 and rng.random() < 0.5 else name[:3]
    return [(short, MONTH), (rng.choice(("", "", ".")), ())]


def in_context(pieces: list[Piece], day: date, is_complete: bool, rng: random.Random) -> list[Piece]:
    """Puts a weekday, an era and other words around a date, or not. None of them says a digit of it."""
    is_empty = not any(places for _, places in pieces)
    ends_with_year = is_complete and any(place in YEAR for place in pieces[-2][1])
    if not is_empty and rng.random() < 0.2:
        name = rng.choice((WEEKDAYS[day.weekday()], *SHORT_WEEKDAYS[day.weekday()].split()))
        pieces = [(name + rng.choice((", ", " ")), ()), *pieces]
    if ends_with_year and rng.random() < 0.06:
        pieces = [*pieces, (rng.choice((" AD", " CE", " A.D.")), ())]
    if rng.random() < 0.3 or is_empty:
        pieces = [(rng.choice(BEFORE) + " ", ()), *pieces]
    if rng.random() < 0.2:
        pieces = [*pieces, (rng.choice((" ", ", ")) + rng.choice(AFTER), ())]
    return [*pieces, (rng.choice(("", "", "", ".")), ())]


def cased(pieces: list[Piece], rng: random.Random) -> list[Piece]:
    """Now and then all in small letters, or all in capitals."""
    change = rng.choice((str, str, str, str.lower, str.upper))
    return [(change(text), places) for text, places in pieces]
