"""The embedded language model: nothing to download, no network, the same reply every time.

It reads entity spans, question-term coverage and vector similarity. It makes the whole pipeline run
anywhere; it is weak at answering, and says so in its name.
"""

from __future__ import annotations

import math
from collections.abc import Sequence

from .bridges import asked_words, bridge_candidates
from .extractive_answers import extract_answer
from .index import EvidenceIndex
from .language_model import Metered, Snippet
from .lens import Lens, Lenses
from .passages import Passage
from .reading import tokens_of
from .state import Bridge, Usage, Verdict
from .text import STOPWORDS, approximate_tokens, stem, words_of

__all__ = ["JUDGE_WEIGHTS", "Extractive"]

_VERSION = 1
_MOST_GAPS = 3
_LEADS = 3  # bridge candidates that one gap asks about

JUDGE_WEIGHTS: dict[str, float] = {
    "intercept": -3.7,
    "coverage": 5.4,
    "best_sentence": -2.0,
    "unmet": -2.0,
    "unseen": -0.3,
    "links": 1.8,
    "held": -2.7,
    "named_held": 1.6,
    "lead": -6.2,
    "similarity": 5.9,
}
"""Logistic weights of `judge_facts`, fitted to training questions of HotpotQA, 2WikiMultiHopQA and MuSiQue
and rounded; `hopilot.training.priors` fits the same facts to any labelled questions."""


class Extractive:
    """The tasks of the seven actions, by reading rather than by a model's weights."""

    def __init__(self, index: EvidenceIndex, lenses: Lenses | None = None) -> None:
        self.index = index
        self.lenses = lenses or Lenses(index)
        self._verdicts: dict[tuple[str, tuple[int, ...]], Verdict] = {}

    @property
    def name(self) -> str:
        """Its name and version."""
        return f"extractive-{_VERSION}"

    def judge_sufficiency(self, question: str, passages: Sequence[Passage]) -> Metered[Verdict]:
        """Weigh how much of the question is covered against how strongly something leads on."""
        rows = self._rows(passages)
        key = (question, rows)
        verdict = self._verdicts.get(key)
        if verdict is None:
            if len(self._verdicts) > 20_000:
                self._verdicts.clear()
            verdict = self._verdicts[key] = self._judge(self.lenses.of(question), rows)
        return Metered(verdict, _usage(question, passages, " ".join(verdict.missing)))

    def rewrite_query(self, question: str, query: str, passages: Sequence[Passage]) -> Metered[str]:
        """Put the most promising entity of the evidence in the place of the one that led to it."""
        lens = self.lenses.of(question)
        rows = self._rows(passages)
        bridges = bridge_candidates(lens, rows)
        rewritten = _substituted(lens, rows, bridges[0]) if bridges else _uncovered_words(lens, rows)
        return Metered(rewritten, _usage(question, passages, rewritten))

    def compress(
        self, question: str, passages: Sequence[Passage], *, snippets: int, tokens: int
    ) -> Metered[tuple[Snippet, ...]]:
        """Keep the sentences that share most with the question or tie held passages together."""
        lens = self.lenses.of(question)
        kept = _distilled(lens, self._rows(passages, ordered=True), snippets, tokens)
        return Metered(kept, _usage(question, passages, " ".join(snippet.text for snippet in kept)))

    def answer(self, question: str, evidence: Sequence[Snippet], *, tokens: int = 48) -> Metered[str]:
        """Pick the span that fits the form of the question best."""
        words = extract_answer(question, evidence).split()
        reply = " ".join(words[:tokens])
        prompt = approximate_tokens(question) + sum(approximate_tokens(snippet.text) for snippet in evidence)
        return Metered(reply, Usage(0, 1, prompt, approximate_tokens(reply)))

    def _rows(self, passages: Sequence[Passage], *, ordered: bool = False) -> tuple[int, ...]:
        position = self.index.corpus.position
        rows = [position[passage.id] for passage in passages if passage.id in position]
        return tuple(rows if ordered else sorted(rows))

    def _judge(self, lens: Lens, rows: tuple[int, ...]) -> Verdict:
        bridges = bridge_candidates(lens, rows)
        facts = judge_facts(lens, rows, bridges)
        logit = JUDGE_WEIGHTS["intercept"] + sum(JUDGE_WEIGHTS.get(k, 0.0) * v for k, v in facts.items())
        confidence = 1.0 / (1.0 + math.exp(-logit))
        sufficient = confidence >= 0.5
        return Verdict(sufficient, confidence, () if sufficient else _gaps(lens, rows, bridges))


def judge_facts(lens: Lens, rows: tuple[int, ...], bridges: Sequence[Bridge]) -> dict[str, float]:
    """Return what the judge weighs, each in about [0, 1]."""
    glances = [lens.glance(row) for row in rows]
    held = set(rows)
    keys = {sighting.mention.key for glance in glances for sighting in glance.sightings}
    named = lens.reading.mentions
    unmet = [m for m in named if m.rows and not held.intersection(m.rows)]
    unseen = [m for m in named if not m.rows and m.key not in keys]
    links = sum(
        1
        for row, glance in zip(rows, glances, strict=True)
        for sighting in glance.sightings
        if any(other in held and other != row for other in sighting.mention.rows)
    )
    return {
        "coverage": len(lens.covered(rows)) / max(len(lens.terms), 1),
        "best_sentence": max((glance.best_sentence for glance in glances), default=0.0),
        "unmet": min(len(unmet), 2) / 2,
        "unseen": min(len(unseen), 2) / 2,
        "links": min(links, 4) / 4,
        "held": min(len(rows), 12) / 12,
        "named_held": min(sum(glance.in_question for glance in glances), 2) / 2,
        "lead": 1.0 / (1.0 + math.exp(-bridges[0].score)) if bridges else 0.0,
        "similarity": max((glance.similarity for glance in glances), default=0.0),
    }


def _gaps(lens: Lens, rows: tuple[int, ...], bridges: Sequence[Bridge]) -> tuple[str, ...]:
    """Return missing facts: titles named and not held, what is asked of the best leads, the rest."""
    held = set(rows)
    gaps = [
        lens.index.passage(mention.rows[0]).title
        for mention in lens.reading.mentions
        if " " in mention.key and mention.rows and not held.intersection(mention.rows)
    ]
    leads = ", ".join(bridge.name for bridge in bridges[:_LEADS])
    if leads:
        gaps.append(f"{leads} {asked_words(lens, rows)}".strip())
    gaps.append(_uncovered_words(lens, rows))
    return tuple(gap for gap in dict.fromkeys(gaps) if gap)[:_MOST_GAPS]


def _uncovered_words(lens: Lens, rows: tuple[int, ...]) -> str:
    covered = lens.covered(rows)
    words = [
        word
        for word in words_of(lens.question)
        if word.casefold() not in STOPWORDS and stem(word) not in covered
    ]
    return " ".join(words)


def _substituted(lens: Lens, rows: tuple[int, ...], bridge: Bridge) -> str:
    """Replace the named entity whose passage mentions the bridge by the bridge; append it where none is."""
    for row in rows:
        glance = lens.glance(row)
        if not glance.in_question or all(s.mention.name != bridge.name for s in glance.sightings):
            continue
        for mention in lens.reading.mentions:
            if row in mention.rows:
                return lens.question.replace(mention.name, bridge.name, 1)
    return f"{lens.question} {bridge.name}"


def _distilled(lens: Lens, rows: tuple[int, ...], most: int, tokens: int) -> tuple[Snippet, ...]:
    """Choose sentences by question overlap, by the passage's similarity, and by naming other held passages."""
    held = set(rows)
    scored: list[tuple[float, int, int]] = []
    for place, row in enumerate(rows):
        reading, glance = lens.reader.passage(row), lens.glance(row)
        tied: dict[int, int] = {}
        for mention in reading.mentions:
            if held.intersection(mention.rows) - {row}:
                tied[mention.sentence] = 1
        for number, sentence in enumerate(reading.sentences):
            overlap = len(sentence.terms & lens.terms) / max(len(lens.terms), 1)
            score = overlap + 0.5 * glance.similarity + 0.3 * tied.get(number, 0)
            score += 0.2 * glance.in_question + 0.2 * (number == 0)
            scored.append((-score, place, number))
    chosen: list[tuple[int, int]] = []
    spent = 0
    for _, place, number in sorted(scored):
        cost = approximate_tokens(lens.reader.passage(rows[place]).sentences[number].text)
        if len(chosen) < most and spent + cost <= tokens:
            chosen.append((place, number))
            spent += cost
    return tuple(_snippet(lens, rows[place], number) for place, number in sorted(chosen))


def _snippet(lens: Lens, row: int, number: int) -> Snippet:
    passage = lens.index.passage(row)
    return Snippet(passage.id, passage.title, lens.reader.passage(row).sentences[number].text)


def _usage(question: str, passages: Sequence[Passage], reply: str) -> Usage:
    """Count what a language model would have read and written for the same task (an approximation)."""
    prompt = approximate_tokens(question) + sum(
        len(tokens_of(p.title)) + approximate_tokens(p.text) for p in passages
    )
    return Usage(0, 1, prompt, approximate_tokens(reply))
