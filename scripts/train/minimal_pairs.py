"""Minimal pairs: two sentences that differ in one place, of which a speaker of English accepts the first alone.

Twelve phenomena in the manner of BLiMP (Warstadt et al. 2020, https://arxiv.org/abs/1912.00582), with sentences
of our own. A model is right where it finds the first likelier by its pseudo-log-likelihood: the sum of the log
probabilities of all tokens, each hidden in turn (Salazar et al. 2020, https://arxiv.org/abs/1910.14659).
"""

from __future__ import annotations

import random
from collections.abc import Callable, Iterator
from pathlib import Path

import torch

from bert import Bert
from checkpoint import load_model
from normalize import MASK, words
from blanks import encode
from wordpiece import WordPiece

PAIRS = 40
SEED = 11

Pair = tuple[str, str]
Draw = Callable[..., str]

PEOPLE = {"teacher": "teachers", "doctor": "doctors", "boy": "boys", "girl": "girls", "student": "students"}
PEOPLE |= {"driver": "drivers", "friend": "friends", "brother": "brothers", "sister": "sisters", "king": "kings"}
THINGS = {"book": "books", "letter": "letters", "house": "houses", "car": "cars", "picture": "pictures"}
THINGS |= {"chair": "chairs", "table": "tables", "song": "songs", "door": "doors", "ship": "ships"}
PLACES = ("in the garden", "near the river", "at the station", "behind the church", "on the hill")
MEN, WOMEN = ("boy", "brother", "father", "king", "man", "son"), ("girl", "sister", "mother", "queen", "woman", "daughter")
MALE_NAMES, FEMALE_NAMES = ("tom", "john", "david", "peter", "paul"), ("mary", "anna", "jane", "susan", "alice")
# Third person singular and plural of verbs that need no object.
VERBS = {"sings": "sing", "works": "work", "sleeps": "sleep", "waits": "wait", "smiles": "smile", "runs": "run"}
PARTICIPLES = {"broken": "broke", "written": "wrote", "taken": "took", "eaten": "ate", "seen": "saw", "forgotten": "forgot"}
TRANSITIVE = ("found", "opened", "bought", "lost", "painted", "sold")
INTRANSITIVE = ("slept", "arrived", "smiled", "laughed", "disappeared", "waited")
ADVERBS = ("yesterday", "last night", "this morning", "on monday", "in the evening")


def subject_verb(draw: Draw) -> Pair:
    noun, verb = draw(PEOPLE), draw(VERBS)
    place = draw(PLACES)
    if draw("sp") == "s":
        return f"The {noun} {verb} {place}.", f"The {noun} {VERBS[verb]} {place}."
    return f"The {PEOPLE[noun]} {VERBS[verb]} {place}.", f"The {PEOPLE[noun]} {verb} {place}."


def agreement_past_phrase(draw: Draw) -> Pair:
    """The noun between subject and verb has the other number."""
    noun, other, verb = draw(PEOPLE), draw(THINGS), draw(VERBS)
    if draw("sp") == "s":
        return f"The {noun} with the {THINGS[other]} {verb}.", f"The {noun} with the {THINGS[other]} {VERBS[verb]}."
    return f"The {PEOPLE[noun]} with the {other} {VERBS[verb]}.", f"The {PEOPLE[noun]} with the {other} {verb}."


def agreement_past_clause(draw: Draw) -> Pair:
    """A relative clause stands between subject and verb, and its noun has the other number."""
    noun, other = draw(THINGS), draw(PEOPLE)
    end = draw(("old", "new", "beautiful", "expensive", "small"))
    if draw("sp") == "s":
        begin = f"The {noun} that the {PEOPLE[other]} like"
        return f"{begin} is very {end}.", f"{begin} are very {end}."
    begin = f"The {THINGS[noun]} that the {other} likes"
    return f"{begin} are very {end}.", f"{begin} is very {end}."


def determiner_noun(draw: Draw) -> Pair:
    person, thing, verb = draw(PEOPLE), draw(THINGS), draw(TRANSITIVE)
    if draw("sp") == "s":
        return f"The {person} {verb} this {thing}.", f"The {person} {verb} these {thing}."
    return f"The {person} {verb} these {THINGS[thing]}.", f"The {person} {verb} this {THINGS[thing]}."


def reflexive_gender(draw: Draw) -> Pair:
    verb = draw(("hurt", "saw", "washed", "blamed", "asked", "praised"))
    place = draw(ADVERBS)
    male, female = f"{verb} himself {place}.", f"{verb} herself {place}."
    if draw("mf") == "m":
        subject = f"The {draw(MEN)}" if draw("nt") == "n" else draw(MALE_NAMES).capitalize()
        return f"{subject} {male}", f"{subject} {female}"
    subject = f"The {draw(WOMEN)}" if draw("nt") == "n" else draw(FEMALE_NAMES).capitalize()
    return f"{subject} {female}", f"{subject} {male}"


def reflexive_number(draw: Draw) -> Pair:
    verb = draw(("hurt", "saw", "washed", "blamed", "asked", "praised"))
    place = draw(ADVERBS)
    man = draw(MEN)
    if draw("sp") == "s":
        return f"The {man} {verb} himself {place}.", f"The {man} {verb} themselves {place}."
    people = PEOPLE[draw(PEOPLE)]
    return f"The {people} {verb} themselves {place}.", f"The {people} {verb} himself {place}."


def participle(draw: Draw) -> Pair:
    person, thing = draw(PEOPLE), draw(("it", "them", "everything", "that", "the letter", "the apple"))
    form = draw(PARTICIPLES)
    if draw(("perfect", "past")) == "perfect":
        return f"The {person} has {form} {thing}.", f"The {person} has {PARTICIPLES[form]} {thing}."
    return f"The {person} {PARTICIPLES[form]} {thing} {draw(ADVERBS)}.", f"The {person} {form} {thing} {draw(ADVERBS)}."


def negative_polarity(draw: Draw) -> Pair:
    person, place = draw(PEOPLE), draw(("in london", "in america", "to the theater", "on the mountain", "at sea"))
    verb = draw(("been", "worked", "lived", "walked", "gone"))
    ending = f"{PEOPLE[person]} have ever {verb} {place}."
    return f"No {ending}", f"Some {ending}"


def transitivity(draw: Draw) -> Pair:
    person, thing = draw(PEOPLE), draw(THINGS)
    verb, other = draw(TRANSITIVE), draw(INTRANSITIVE)
    return f"The {person} {verb} the {thing}.", f"The {person} {other} the {thing}."


def passive(draw: Draw) -> Pair:
    thing, person = draw(THINGS), draw(PEOPLE)
    verb, other = draw(TRANSITIVE), draw(INTRANSITIVE)
    return f"The {thing} was {verb} by the {person}.", f"The {thing} was {other} by the {person}."


def coordination_island(draw: Draw) -> Pair:
    """Nothing can be asked for from within a coordination (Ross 1967)."""
    name, one, other = draw(MALE_NAMES).capitalize(), draw(PEOPLE), draw(PEOPLE)
    verb = draw(("see", "meet", "help", "know", "visit"))
    return f"Who did {name} {verb} with the {one}?", f"Who did {name} {verb} the {other} and?"


def there_quantifier(draw: Draw) -> Pair:
    """What "there is" introduces is not definite (Milsark 1974)."""
    thing = THINGS[draw(THINGS)]
    place = draw(PLACES)
    few, all_of = draw(("many", "some", "three", "no", "several")), draw(("all", "most", "every one of the", "both"))
    return f"There were {few} {thing} {place}.", f"There were {all_of} {thing} {place}."


PHENOMENA = (
    subject_verb,
    agreement_past_phrase,
    agreement_past_clause,
    determiner_noun,
    reflexive_gender,
    reflexive_number,
    participle,
    negative_polarity,
    transitivity,
    passive,
    coordination_island,
    there_quantifier,
)


def pairs_of(phenomenon: Callable[[Draw], Pair]) -> Iterator[Pair]:
    """The same `PAIRS` different pairs at each call."""
    generator = random.Random(f"{SEED} {phenomenon.__name__}")
    seen: set[Pair] = set()
    while len(seen) < PAIRS:
        pair = phenomenon(lambda choices: generator.choice(list(choices)))
        if pair not in seen:
            seen.add(pair)
            yield pair


@torch.no_grad()
def pseudo_log_likelihood(model: Bert, tokenizer: WordPiece, sentence: str) -> float:
    """The sum over the tokens of the log probability of each where it is hidden."""
    ids = torch.tensor(encode(sentence, tokenizer))
    places = torch.arange(1, len(ids) - 1)
    rows = ids.repeat(len(places), 1)
    rows[torch.arange(len(places)), places] = MASK
    hidden = model(rows, torch.zeros_like(rows))
    logits = model.mlm_logits(hidden[torch.arange(len(places)), places])
    return float(logits.log_softmax(-1)[torch.arange(len(places)), ids[places]].sum())


def minimal_pairs(model_folder: Path) -> None:
    """Prints a Markdown table: of each phenomenon an example and the share of pairs that the model has right."""
    tokenizer, model = WordPiece.load(model_folder / "vocab.txt"), load_model(model_folder)
    print("| phenomenon | accepted | not accepted | right |\n|---|---|---|---:|")
    shares = []
    for phenomenon in PHENOMENA:
        pairs = list(pairs_of(phenomenon))
        right = [
            pseudo_log_likelihood(model, tokenizer, good) > pseudo_log_likelihood(model, tokenizer, bad)
            for good, bad in pairs
        ]
        shares.append(sum(right) / len(right))
        name = phenomenon.__name__.replace("_", " ")
        print(f"| {name} | {pairs[0][0]} | {pairs[0][1]} | {shares[-1]:.0%} |", flush=True)
    print(f"| **all** | | | {sum(shares) / len(shares):.1%} |")
