"""The fictional world: proven questions, necessary and reachable gold, varied prose, repeatable bytes."""

from __future__ import annotations

import math
import os
import re
import subprocess
import sys
from collections import Counter
from itertools import pairwise

import pytest
from hopilot.errors import InputError
from hopilot.evidence.text import sentences_of, words_of
from hopilot.questions.fictional import FictionalWorld, fictional_world

SPLITS = ("train", "dev")


@pytest.fixture(scope="module")
def world() -> FictionalWorld:
    return fictional_world()


@pytest.fixture(scope="module")
def text_of(world):
    return {passage.id: passage for passage in world.articles}


def every_question(world):
    return [
        (question, posed)
        for split in SPLITS
        for question, posed in zip(world.dataset(split).questions, world.posed[split], strict=True)
    ]


def test_default_world_has_the_promised_size(world):
    assert len(world.articles) == len({passage.id for passage in world.articles}) == 420
    assert len(world.dataset("train")) == 240
    assert len(world.dataset("dev")) == 160


@pytest.mark.parametrize("split", SPLITS)
def test_pool_of_each_split_is_the_whole_world(world, split):
    pool = world.dataset(split).corpus()
    assert {passage.id for passage in pool} == {passage.id for passage in world.articles}


@pytest.mark.parametrize("split", SPLITS)
def test_questions_are_labelled_and_bring_their_gold_and_distractors(world, split):
    dataset = world.dataset(split)
    dataset.require_labels("this test")
    assert dataset.name == "hopilot"
    assert len({question.id for question in dataset.questions}) == len(dataset)
    for question in dataset.questions:
        own = [passage.id for passage in question.passages]
        assert len(own) == len(set(own)) >= len(question.support) + 8
        assert set(question.support) <= set(own)
        assert len(set(question.support)) == len(question.support) == question.hops


@pytest.mark.parametrize("split", SPLITS)
def test_all_kinds_and_lengths_are_asked(world, split):
    asked = {(question.kind, question.hops) for question in world.dataset(split).questions}
    chains = {(kind, hops) for kind in ("bridge", "compositional", "inference") for hops in (2, 3, 4)}
    assert asked == chains | {("comparison", 2), ("bridge_comparison", 4)}


def test_splits_share_no_question_no_gold_set_and_no_link(world):
    train, dev = world.posed["train"], world.posed["dev"]
    assert not {posed.text for posed in train} & {posed.text for posed in dev}
    assert not {frozenset(posed.plan.gold) for posed in train} & {frozenset(posed.plan.gold) for posed in dev}
    assert not set().union(*(p.plan.edges for p in train)) & set().union(*(p.plan.edges for p in dev))


def test_every_question_has_one_answer_in_the_whole_graph(world):
    for question, posed in every_question(world):
        (answer,) = posed.plan.answers(world.graph)
        expected = answer if isinstance(answer, str) else world.graph.entities[answer].name
        assert question.answers[0] == expected, question.text


def test_every_comparison_is_decided_by_what_its_articles_say(world):
    for question, posed in every_question(world):
        if posed.plan.compare not in ("least", "most"):
            continue
        first, second = (chain[-1].fact for chain in posed.plan.chains)
        assert first.number != second.number
        for chain in posed.plan.chains:
            assert chain[-1].fact.literal in world.articles[chain[-1].key].text, question.text


def test_every_gold_article_is_necessary(world):
    for question, posed in every_question(world):
        for chain in posed.plan.chains:
            for link in chain:
                assert world.graph.told[link.fact] == (link.key,), question.text


def test_every_answer_stands_in_the_last_gold_article_and_not_in_the_question(world, text_of):
    chains = [(question, posed) for question, posed in every_question(world) if not posed.plan.compare]
    assert len(chains) > 200
    for question, _ in chains:
        *earlier, last = (text_of[key] for key in question.support)
        assert question.answers[0] in last.text, question.text
        assert not any(question.answers[0] in f"{gold.title}. {gold.text}" for gold in earlier), question.text
        assert question.answers[0] not in question.text


def test_each_gold_title_is_named_in_the_question_or_in_the_gold_article_before_it(world):
    for question, posed in every_question(world):
        for chain in posed.plan.chains:
            assert world.articles[chain[0].key].title in question.text
            for before, link in pairwise(chain):
                assert world.articles[link.key].title in world.articles[before.key].text, question.text


def test_articles_state_the_facts_that_they_are_said_to_tell(world):
    for fact, keys in world.graph.told.items():
        for key in keys:
            other = world.graph.other(fact, key)
            value = world.graph.entities[other].name if other >= 0 else fact.literal
            assert value in world.articles[key].text


def test_named_entities_of_the_gold_are_clear_from_name_and_role(world):
    bearers = Counter((entity.name, entity.role) for entity in world.graph.entities)
    for question, posed in every_question(world):
        for chain in posed.plan.chains:
            for link in chain[1:]:
                entity = world.graph.entities[link.key]
                assert bearers[entity.name, entity.role] == 1, question.text


def test_namesakes_exist_with_and_without_telling_titles(world):
    titles = Counter(passage.title for passage in world.articles)
    names = Counter(entity.name for entity in world.graph.entities)
    assert sum(count > 1 for count in titles.values()) >= 2
    assert sum(count > 1 for count in names.values()) >= 8
    assert any(re.search(r" \(.+\)$", title) for title in titles)


def test_articles_have_two_to_six_clean_sentences(world):
    for passage in world.articles:
        assert 2 <= len(sentences_of(passage.text)) <= 6, passage.text
        assert not re.search(r"[{}\[\]|~]|  | [,.;]|\.\.|\b(\w+) \1\b", passage.text), passage.text
        assert passage.text[0].isupper()


def test_articles_follow_no_common_mould(world):
    masked = [re.sub(r"\b[A-ZØ]\w+|\d+", "", passage.text) for passage in world.articles]
    assert len(set(masked)) >= 0.97 * len(masked)
    openings = Counter(" ".join(mask.split()[:6]) for mask in masked)
    assert openings.most_common(1)[0][1] <= 0.1 * len(masked)


def test_yes_and_no_are_balanced(world):
    verdicts = Counter(q.answers[0] for q, _ in every_question(world) if q.answers[0] in ("yes", "no"))
    assert min(verdicts["yes"], verdicts["no"]) >= 5
    assert abs(verdicts["yes"] - verdicts["no"]) <= 2


def test_one_lexical_ranking_misses_much_of_the_support_but_not_most(world):
    # The dense ranking is as blind: the missing articles are named only in the articles before them.
    documents = [Counter(map(str.casefold, words_of(f"{p.title}. {p.text}"))) for p in world.articles]
    spread = Counter(word for document in documents for word in document)
    recalls = []
    for question in world.dataset("dev").questions:
        words = set(map(str.casefold, words_of(question.text)))
        weights = {word: math.log(len(documents) / spread[word]) for word in words if spread[word]}
        scores = [
            sum(w * d[word] / (d[word] + 1.2) for word, w in weights.items() if word in d) for d in documents
        ]
        top = sorted(range(len(scores)), key=lambda row: (-scores[row], row))[:12]
        recalls.append(question.support_recall({world.articles[row].id for row in top}))
    assert 0.45 <= sum(recalls) / len(recalls) <= 0.75


def test_same_seed_gives_the_same_world_in_processes_with_other_hash_seeds(world):
    program = "from hopilot.questions.fictional import fictional_world as f; print(f().fingerprint)"
    for hash_seed in ("0", "4242"):
        printed = subprocess.run(
            [sys.executable, "-c", program],
            env={**os.environ, "PYTHONHASHSEED": hash_seed},
            capture_output=True,
            text=True,
            check=True,
        ).stdout
        assert printed.strip() == world.fingerprint


def test_another_seed_gives_another_world(world):
    other = fictional_world(14)
    assert other.fingerprint != world.fingerprint
    shared = {p.title for p in other.articles} & {p.title for p in world.articles}
    assert len(shared) < 0.05 * len(world.articles)


@pytest.mark.parametrize(("articles", "questions"), [(200, 20), (200, 200), (600, 500)])
def test_other_sizes_are_made_as_asked(articles, questions):
    made = fictional_world(questions=questions, articles=articles)
    assert len(made.articles) == articles
    assert len(made.dataset("train")) + len(made.dataset("dev")) == questions
    assert len(made.dataset("dev").corpus()) == articles


@pytest.mark.parametrize("seed", range(20, 26))
def test_other_seeds_keep_their_promises_too(seed):
    made = fictional_world(seed)
    for question, posed in every_question(made):
        assert len(posed.plan.answers(made.graph)) == 1
        assert all(made.graph.told[link.fact] == (link.key,) for chain in posed.plan.chains for link in chain)
        assert made.articles[posed.plan.gold[0]].title in question.text


@pytest.mark.parametrize(
    ("wrong", "named"),
    [
        ({"articles": 20}, "200 to 2000"),
        ({"articles": 9000}, "200 to 2000"),
        ({"questions": 1}, "questions"),
        ({"questions": 5000}, "fewer questions"),
        ({"dev_share": 1.0}, "dev_share"),
    ],
)
def test_impossible_sizes_are_refused_by_name(wrong, named):
    with pytest.raises(InputError, match=named):
        fictional_world(**wrong)


def test_unknown_split_is_refused(world):
    with pytest.raises(InputError, match="no split 'test'"):
        world.dataset("test")
