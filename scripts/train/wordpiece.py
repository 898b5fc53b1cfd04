"""WordPiece: the greedy tokenizer of BERT, and a trainer for its vocabulary.

The trainer merges the most frequent neighbouring pieces (byte-pair encoding, as Hugging Face's
WordPieceTrainer does) to somewhat more entries than asked for, tokenizes the words with them greedily,
and drops the entries that this uses least: a merge that only led to a longer word is not worth a place.
"""

from __future__ import annotations

import heapq
import string
from collections import Counter, defaultdict
from pathlib import Path
from typing import Iterable, Mapping

from errors import InputError
from normalize import SPECIAL_TOKENS, UNK

MAX_WORD_CHARACTERS = 100
SURPLUS = 1.3  # entries merged for each one kept
PRUNING_ROUNDS = 4
MIN_CHARACTER_COUNT = 50
# What people type or paste even where the corpus never does.
ALWAYS_KNOWN = string.ascii_lowercase + string.digits + string.punctuation + "‘’“”–—…"


def read_tokens(path: Path) -> list[str]:
    """A `vocab.txt`: one token a line, in the order of the ids."""
    if not path.is_file():
        raise InputError(f"{path}: expected a vocabulary, found none; run `vocab` first")
    return path.read_text(encoding="utf-8").removesuffix("\n").split("\n")


class WordPiece:
    """Splits words greedily into the longest known pieces, as `BertTokenizer` does."""

    def __init__(self, tokens: Iterable[str]) -> None:
        self.tokens = list(tokens)
        self.ids = {token: index for index, token in enumerate(self.tokens)}
        self._cache: dict[str, tuple[int, ...]] = {}
        self._longest = max(map(len, self.tokens))

    @classmethod
    def load(cls, path: Path) -> WordPiece:
        """Reads the `vocab.txt` of a model of this recipe."""
        tokens = read_tokens(path)
        if tuple(tokens[: len(SPECIAL_TOKENS)]) != SPECIAL_TOKENS:
            raise InputError(f"{path}: expected it to begin with {' '.join(SPECIAL_TOKENS)}, found {tokens[:5]}")
        return cls(tokens)

    def pieces(self, word: str) -> tuple[int, ...]:
        """The ids of one word; [UNK] alone if any part of it is unknown."""
        found = self._cache.get(word)
        if found is None:
            found = self._cache[word] = self._split(word)
        return found

    def encode(self, words: Iterable[str]) -> list[int]:
        return [index for word in words for index in self.pieces(word)]

    def spelling(self, token: str) -> tuple[int, ...]:
        """The ids that spell a token of another vocabulary; "##" means that a word goes on, as always."""
        return self._split(token.removeprefix("##"), continued=token.startswith("##"))

    def _split(self, word: str, continued: bool = False) -> tuple[int, ...]:
        if len(word) > MAX_WORD_CHARACTERS:
            return (UNK,)
        pieces: list[int] = []
        start = 0
        while start < len(word):
            prefix = "##" if start or continued else ""
            for end in range(min(len(word), start + self._longest), start, -1):
                index = self.ids.get(prefix + word[start:end])
                if index is not None:
                    pieces.append(index)
                    start = end
                    break
            else:
                return (UNK,)
        return tuple(pieces)


def _joined(left: str, right: str) -> str:
    return left + right.removeprefix("##")


def merge_pieces(counts: Mapping[str, int], known: set[str], entries: int) -> list[str]:
    """Byte-pair merges over counted words until there are `entries` pieces beside those `known`."""
    words = [[word[0]] + ["##" + letter for letter in word[1:]] for word in counts]
    weights = list(counts.values())
    pair_counts: Counter[tuple[str, str]] = Counter()
    places: defaultdict[tuple[str, str], set[int]] = defaultdict(set)
    for index, word in enumerate(words):
        for pair in zip(word, word[1:]):
            pair_counts[pair] += weights[index]
            places[pair].add(index)
    heap = [(-count, pair) for pair, count in pair_counts.items()]
    heapq.heapify(heap)
    merged: dict[str, None] = {}
    while len(merged) < entries and heap:
        count, pair = heapq.heappop(heap)
        current = pair_counts[pair]
        if current <= 0:
            continue
        if -count != current:  # an outdated entry: counts only reach the heap when they are met
            heapq.heappush(heap, (-current, pair))
            continue
        token = _joined(*pair)
        if token not in known:
            merged[token] = None
        changed: set[tuple[str, str]] = set()
        for index in places.pop(pair):
            word, weight = words[index], weights[index]
            for old in zip(word, word[1:]):
                pair_counts[old] -= weight
            position = 0
            while position < len(word) - 1:
                if (word[position], word[position + 1]) == pair:
                    word[position : position + 2] = [token]
                position += 1
            for new in zip(word, word[1:]):
                pair_counts[new] += weight
                places[new].add(index)
                changed.add(new)
        for new in changed:
            if token in new:
                heapq.heappush(heap, (-pair_counts[new], new))
    return list(merged)


def extended_vocabulary(tokens: list[str], counts: Mapping[str, int], required: Iterable[str]) -> list[str]:
    """A trained model's vocabulary in which the words `required` have taken the places of its least used tokens.

    All other tokens keep their ids. counts: how often each word occurs.
    """
    wanted = [word for word in sorted({*required, *ALWAYS_KNOWN}) if word not in tokens]
    tokenizer = WordPiece(tokens + wanted)
    uses: Counter[int] = Counter()
    for word, count in counts.items():
        for index in tokenizer.pieces(word):
            uses[index] += count
    kept = {*SPECIAL_TOKENS, *required}
    droppable = [i for i, token in enumerate(tokens) if token not in kept and len(token.removeprefix("##")) > 1]
    if len(wanted) > len(droppable):
        raise InputError(f"vocabulary: expected room for {len(wanted)} new words, found {len(droppable)} places")
    droppable.sort(key=lambda index: uses[index])
    extended = list(tokens)
    for index, word in zip(droppable, wanted):
        extended[index] = word
    return extended


def partial_vocabulary(
    tokens: Iterable[str], counts: Mapping[str, int], size: int, required: Iterable[str] = ()
) -> list[str]:
    """The `size` tokens of a published vocabulary that serve these words best, in its order, special tokens first.

    Every single character stays, so that what the whole vocabulary can spell the part can spell, too.
    counts: how often each word occurs. required: words that keep their own token, where they have one.
    """
    published = [token for token in tokens if token not in SPECIAL_TOKENS]
    characters = {token for token in published if len(token.removeprefix("##")) == 1}
    kept = characters.union(word for word in required if word in set(published))
    pieces = [token for token in published if token not in kept and not token.startswith("[unused")]
    room = size - len(SPECIAL_TOKENS) - len(kept)
    if room < 0:
        raise InputError(f"vocabulary size: expected at least {size - room} for characters and words, found {size}")
    for chosen in pruned(pieces, room, counts, [*SPECIAL_TOKENS, *kept]):
        pieces = chosen
    kept.update(pieces)
    return [*SPECIAL_TOKENS, *(token for token in published if token in kept)]


def pruned(pieces: list[str], room: int, counts: Mapping[str, int], kept: list[str]) -> Iterable[list[str]]:
    """Ever fewer of the pieces, the least used gone first, down to `room`: what one entry loses, others gain."""
    surplus = max(0, len(pieces) - room)
    for remaining in range(PRUNING_ROUNDS - 1, -1, -1):
        tokenizer = WordPiece(kept + pieces)
        uses: Counter[int] = Counter()
        for word, count in counts.items():
            for index in tokenizer.pieces(word):
                uses[index] += count
        pieces = sorted(pieces, key=lambda piece: (-uses[tokenizer.ids[piece]], piece))
        pieces = pieces[: room + surplus * remaining // PRUNING_ROUNDS]
        yield pieces


def train_vocabulary(counts: Mapping[str, int], size: int, required: Iterable[str] = ()) -> list[str]:
    """A vocabulary of exactly `size` tokens (fewer if the words run out), special tokens first.

    counts: how often each word occurs. required: words that must be one token each.
    """
    letters: Counter[str] = Counter()
    for word, count in counts.items():
        for letter in word:
            letters[letter] += count
    required_words = sorted(set(required))
    alphabet = {letter for letter, count in letters.items() if count >= MIN_CHARACTER_COUNT}.union(ALWAYS_KNOWN)
    alphabet.update(letter for word in required_words for letter in word)
    continued = {letter for letter in alphabet if letter.isalnum()}
    kept = [*SPECIAL_TOKENS, *sorted(alphabet), *sorted("##" + letter for letter in continued)]
    kept += [word for word in required_words if word not in alphabet]
    if len(kept) > size:
        raise InputError(f"vocabulary size: expected at least {len(kept)} for letters and required words, found {size}")
    room = size - len(kept)
    spelled = {word: count for word, count in counts.items() if alphabet.issuperset(word)}
    pieces = merge_pieces(spelled, set(kept), round(room * SURPLUS))
    for remaining in range(PRUNING_ROUNDS - 1, -1, -1):
        # The surplus goes in steps: what one entry loses, others gain.
        target = room + max(0, len(pieces) - room) * remaining // (remaining + 1)
        tokenizer = WordPiece(kept + pieces)
        uses: Counter[int] = Counter()
        for word, count in spelled.items():
            for index in tokenizer.pieces(word):
                uses[index] += count
        pieces.sort(key=lambda piece: (-uses[tokenizer.ids[piece]], piece))
        pieces = pieces[:target]
    return kept + pieces
