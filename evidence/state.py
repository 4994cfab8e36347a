"""What a controller sees: one frozen state per step, holding run-time facts and nothing else.

Gold support cannot reach this module: nothing here has a place for it.
"""

from __future__ import annotations

from dataclasses import dataclass, field, replace

from .passages import Passage

__all__ = ["Action", "Bridge", "Held", "Hit", "Limits", "State", "Step", "Usage", "Verdict"]


@dataclass(frozen=True, slots=True)
class Action:
    """A choice: one kind of action, and which of its candidates (entity or gap) it is about."""

    kind: str
    candidate: int = 0
    """Position in the state's candidate list of this kind; 0 for kinds without candidates."""


@dataclass(frozen=True, slots=True)
class Limits:
    """The hard caps of one question (defaults: DynaKRAG, experimental setup)."""

    max_steps: int = 4
    """Control steps; terminal compression and answering are not counted."""
    max_retrievals: int | None = None
    """Retrieval calls, or None for no cap but the steps."""
    passages_per_retrieval: int = 3
    """Unseen passages that one retrieval adds at the most."""
    context_passages: int = 12
    """Passages that reach the answerer at the most."""
    frontier_depth: int = 24
    """Length of the initial ranking that `retrieve_more` walks down."""
    candidates_per_action: int = 1
    """Candidates (bridge entities, gaps) offered as actions of their own; 1 is the paper."""
    snippets: int = 8
    """Sentences that compression keeps at the most (the paper: 8; 12 on MuSiQue)."""
    snippet_tokens: int = 256
    """Tokens of those sentences together at the most (the paper: 256; 384 on MuSiQue)."""
    answer_tokens: int = 48
    """Length of an answer at the most."""


@dataclass(frozen=True, slots=True)
class Usage:
    """What has been spent; `seconds` never enters trajectories, since it never repeats."""

    retrieval_calls: int = 0
    model_calls: int = 0
    prompt_tokens: int = 0
    completion_tokens: int = 0

    @property
    def tokens(self) -> int:
        """Prompt and completion tokens together."""
        return self.prompt_tokens + self.completion_tokens

    def __add__(self, other: Usage) -> Usage:
        return Usage(
            self.retrieval_calls + other.retrieval_calls,
            self.model_calls + other.model_calls,
            self.prompt_tokens + other.prompt_tokens,
            self.completion_tokens + other.completion_tokens,
        )


@dataclass(frozen=True, slots=True)
class Hit:
    """One entry of a ranking: a corpus row and its inner-product score."""

    row: int
    score: float


@dataclass(frozen=True, slots=True)
class Held:
    """One passage in evidence: where it stood in the ranking that brought it, and what brought it."""

    passage: Passage
    row: int
    score: float
    rank: int
    action: str


@dataclass(frozen=True, slots=True)
class Bridge:
    """An entity found in the evidence that may lead on, with what is known about it before asking.

    `score` is the rank criterion (higher leads on more likely), `query` the text to search with.
    """

    name: str
    query: str
    score: float
    row: int
    """Corpus row of the best unheld passage that bears the entity as its title, or -1."""
    mentions: int
    """Evidence sentences that mention it."""
    passages: int
    """Evidence passages that mention it."""
    question_overlap: float
    """Best share of question terms in a sentence that mentions it, in [0, 1]."""
    similarity: float
    """Inner product of question and titled passage; 0 where there is none."""
    source_score: float
    """Retrieval score of the best evidence passage that mentions it."""
    in_question: bool
    """Whether the question itself names it."""
    from_named: bool
    """Whether a passage whose title the question names mentions it."""
    first_sentence: int
    """Place of the earliest sentence that mentions it."""
    cue: float
    """Best share of question terms in the few words around a mention, in [0, 1]."""


@dataclass(frozen=True, slots=True)
class Verdict:
    """A judgement of sufficiency, the confidence behind it, and the facts still missing."""

    sufficient: bool
    confidence: float
    """Probability in [0, 1] that the evidence suffices, as the judge sees it."""
    missing: tuple[str, ...] = ()
    """Missing facts as searchable text, the most pressing first; empty when sufficient."""


@dataclass(frozen=True, slots=True)
class Step:
    """One action taken: what was asked, what it brought, and why it brought nothing."""

    action: str
    candidate: str = ""
    query: str = ""
    added: int = 0
    top_score: float = 0.0
    """Score of the best passage it added; 0 when it added none."""
    note: str = ""
    """The recorded reason of a no-op (blank query, repeated query, nothing unseen)."""


@dataclass(frozen=True, slots=True)
class State:
    """Everything a deployed controller sees before its next choice."""

    question: str
    evidence: tuple[Held, ...] = ()
    ranking: tuple[Hit, ...] = ()
    cursor: int = 0
    """First entry of the initial ranking that `retrieve_more` has not passed."""
    queries: tuple[str, ...] = ()
    """Queries issued so far, the question first."""
    history: tuple[Step, ...] = ()
    gaps: tuple[str, ...] = ()
    """Recorded missing facts that have not been searched for."""
    verdict: Verdict | None = None
    bridges: tuple[Bridge, ...] = ()
    """Unexpanded bridge candidates, the most promising first."""
    checked_at: int = -1
    """Passages held at the last sufficiency check, or -1."""
    rewritten_at: int = -1
    """Passages held at the last rewrite, or -1."""
    active_query: str = ""
    """The query that a rewrite starts from."""
    usage: Usage = field(default_factory=Usage)
    stop_reason: str = ""
    """Why acquisition ended, or empty while it goes on."""

    @property
    def steps(self) -> int:
        """Control steps taken."""
        return len(self.history)

    @property
    def rows(self) -> tuple[int, ...]:
        """Corpus rows of the evidence, in the order in which they came."""
        return tuple(held.row for held in self.evidence)

    @property
    def passages(self) -> tuple[Passage, ...]:
        """The evidence, in the order in which it came."""
        return tuple(held.passage for held in self.evidence)

    @property
    def ended(self) -> bool:
        """Whether acquisition has ended."""
        return bool(self.stop_reason)

    def stopped(self, reason: str) -> State:
        """Return this state with acquisition ended for `reason`."""
        return replace(self, stop_reason=reason)
