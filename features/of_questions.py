"""Features of the question alone: length and shape (DynaKRAG, action-value features)."""

from __future__ import annotations

from .registry import Feature, declare, feature
from .views import QuestionView

__all__: list[str] = []

_AUXILIARIES = frozenset("is are was were do does did has have had can could will would should".split())
_FORMS = {
    "who": "who whose whom".split(),
    "what": ["what"],
    "which": ["which"],
    "when": ["when"],
    "where": ["where"],
    "how": ["how"],
}


@feature("question", level="question")
def question_words(question: QuestionView) -> float:
    """Words of the question."""
    return len(question.words)


@feature("question", level="question")
def question_terms(question: QuestionView) -> float:
    """Distinct content terms of the question."""
    return len(question.lens.terms)


@feature("question", level="question")
def question_entities(question: QuestionView) -> float:
    """Entities that the question names."""
    return len(question.lens.keys)


@feature("question", level="question")
def question_titles(question: QuestionView) -> float:
    """Entities that the question names and the corpus has a title for."""
    return len({mention.key for mention in question.mentions if mention.rows})


@feature("question", unit="share", level="question")
def question_capitals(question: QuestionView) -> float:
    """Share of its words that begin with a capital."""
    return sum(word[0].isupper() for word in question.words) / max(len(question.words), 1)


@feature("question", level="question")
def question_numbers(question: QuestionView) -> float:
    """Words with a digit in them."""
    return sum(any(character.isdigit() for character in word) for word in question.words)


@feature("question", level="question")
def question_commas(question: QuestionView) -> float:
    """Commas."""
    return question.text.count(",")


@feature("question", level="question")
def question_prepositions(question: QuestionView) -> float:
    """Words "of", "by", "in" and possessives: each may hide a hop."""
    return sum(word in ("of", "by", "in") for word in question.folded) + question.text.count("'s")


@feature("question", unit="flag", level="question")
def question_yes_no(question: QuestionView) -> float:
    """Whether it begins with an auxiliary verb, as yes/no questions do."""
    return bool(question.folded) and question.folded[0] in _AUXILIARIES


@feature("question", unit="flag", level="question")
def question_alternatives(question: QuestionView) -> float:
    """Whether it offers alternatives ("A or B", "both A and B")."""
    return "or" in question.folded or "both" in question.folded


@feature("question", unit="flag", level="question")
def question_relative(question: QuestionView) -> float:
    """Whether a relative clause describes what it asks about ("that", "whose", "which" inside)."""
    return any(word in ("that", "whose", "which", "who", "where") for word in question.folded[1:])


def _asks(words: list[str]) -> Feature:
    form = words[0]

    def compute(question: QuestionView) -> float:
        return any(word in words for word in question.folded)

    return Feature(f"question_{form}", "question", f'Whether it asks "{form}".', "flag", "question", compute)


for _words in _FORMS.values():
    declare(_asks(_words))
