"""Finds chains of facts that pose a question with one provable answer, each of whose articles is necessary."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from itertools import pairwise
from random import Random

from .graph import Entity, Fact, Graph, Step

__all__ = ["Link", "Plan", "Web"]


@dataclass(frozen=True, slots=True)
class Link:
    """One hop: the entity whose article tells the fact, and the step that the fact answers."""

    key: int
    step: Step
    fact: Fact


@dataclass(frozen=True, slots=True)
class Plan:
    """A question before it is put into words: one chain, or two that are compared.

    `compare` says how: "" for one chain, "least" or "most" by the number of the last fact, "same"
    for whether both chains end in one value.
    """

    kind: str
    chains: tuple[tuple[Link, ...], ...]
    compare: str = ""

    @property
    def gold(self) -> tuple[int, ...]:
        """The entities whose articles are the support, in the order in which they are read."""
        return tuple(link.key for chain in self.chains for link in chain)

    @property
    def edges(self) -> frozenset[tuple[int, int]]:
        """Pairs of articles between which the question leads, or which it compares."""
        chained = {(a.key, b.key) for chain in self.chains for a, b in pairwise(chain)}
        return frozenset(chained or {(self.gold[0], self.gold[-1])})

    def answers(self, graph: Graph) -> set[str | int]:
        """Prove the question on the whole graph: entity keys and literals that answer it."""
        ends = [graph.values([chain[0].key], [link.step for link in chain]) for chain in self.chains]
        if not self.compare:
            return ends[0]
        if any(len(end) != 1 for end in ends):
            return set()
        if self.compare == "same":
            return {"yes" if ends[0] == ends[1] else "no"}
        numbers = [chain[-1].fact.number for chain in self.chains]
        best = min(numbers) if self.compare == "least" else max(numbers)
        return {chain[0].key for chain, number in zip(self.chains, numbers, strict=True) if number == best}


class Web:
    """The told facts of a graph, as links that may be followed from article to article."""

    def __init__(self, graph: Graph, articles: Sequence[tuple[str, str]]) -> None:
        self.graph = graph
        self.articles = articles
        self._links: dict[int, list[Link]] = defaultdict(list)
        self._alike: dict[tuple[Step, str | int], list[Link]] = defaultdict(list)
        self._bearers: dict[str, list[Entity]] = defaultdict(list)
        for entity in graph.entities:
            self._bearers[entity.name].append(entity)
        for fact in graph.facts:
            # A fact told twice would make either article dispensable.
            if len(graph.told.get(fact, ())) == 1:
                self._add(graph.told[fact][0], fact)

    def _add(self, key: int, fact: Fact) -> None:
        backward = fact.subject != key
        step = Step(fact.relation, backward, self.graph.entities[fact.subject].role if backward else "")
        spouse_like = fact.relation in ("spouse", "twinned_with")
        link = Link(key, Step(fact.relation) if spouse_like else step, fact)
        if self.graph.matching(key, link.step) == [fact] and not self._betrayed(link):
            self._links[key].append(link)
            self._alike[link.step, self._value(link)].append(link)

    def _betrayed(self, link: Link) -> bool:
        """Whether the entity's own name gives the fact away, as "Orva Rovers" would its town."""
        other = self.next(link)
        return other is not None and other.name in self.graph.entities[link.key].name

    def next(self, link: Link) -> Entity | None:
        """Return the entity that a link leads to, or None where it leads to a literal."""
        other = self.graph.other(link.fact, link.key)
        return self.graph.entities[other] if other >= 0 else None

    def links(self, key: int) -> list[Link]:
        """Return the links that an article offers."""
        return self._links[key]

    def alike(self, link: Link) -> list[Link]:
        """Return the links of other articles that lead by the same step to the same value."""
        return [other for other in self._alike[link.step, self._value(link)] if other.key != link.key]

    def _value(self, link: Link) -> str | int:
        return link.fact.literal or self.graph.other(link.fact, link.key)

    def namesakes(self, entity: Entity) -> list[Entity]:
        """Return the other entities of the same name."""
        return [other for other in self._bearers[entity.name] if other.key != entity.key]

    def clear(self, entity: Entity) -> bool:
        """Whether name and role together name one entity only."""
        return all(other.role != entity.role for other in self.namesakes(entity))

    def walk(self, start: int, hops: int, random: Random) -> tuple[Link, ...] | None:
        """Return a chain of so many links by chance, or None where the walk loses itself."""
        chain: list[Link] = []
        key, seen = start, {start}
        for hop in range(hops):
            last = hop == hops - 1
            offered = [link for link in self._links[key] if self._leads_on(link, chain, seen, last)]
            if not offered:
                return None
            link = random.choice(offered)
            chain.append(link)
            reached = self.next(link)
            if reached is not None:
                key = reached.key
                seen.add(key)
        return tuple(chain) if self.sound(chain) else None

    def _leads_on(self, link: Link, chain: Sequence[Link], seen: set[int], last: bool) -> bool:
        reached = self.next(link)
        if reached is None:
            return last
        if reached.key in seen or not self.clear(reached):
            return False
        if chain and _detour(chain[-1].step, link.step):
            return False
        return last or reached.title in self.articles[link.key][1]

    def sound(self, chain: Sequence[Link]) -> bool:
        """Whether the answer stands in the last article only, so that no article can be skipped."""
        reached = self.next(chain[-1])
        answer = reached.name if reached else chain[-1].fact.literal
        titles_and_texts = (" ".join(self.articles[link.key]) for link in chain[:-1])
        return answer not in self.graph.entities[chain[-1].key].name and not any(
            answer in text for text in titles_and_texts
        )

    def starts(self, random: Random) -> Iterator[int]:
        """Yield entities to start from, endlessly, each equally often."""
        keys = [entity.key for entity in self.graph.entities if self._links[entity.key] and self.clear(entity)]
        while keys:
            random.shuffle(keys)
            yield from keys


def _detour(before: Step, after: Step) -> bool:
    """Whether two steps lead where one would: back along a relation, or around a family.

    The husband of a mother is the father, whom the child's own article may name.
    """
    if before.relation == after.relation and before.inverse != after.inverse:
        return True
    parents = ("mother", "father")
    if before.relation in parents and after.relation in (*parents, "spouse"):
        return before.inverse or after.relation == "spouse" or after.inverse
    return before.relation == "spouse" and after.relation in parents and after.inverse
