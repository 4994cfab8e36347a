from itertools import permutations

import pytest
from hopilot.evidence.bridges import TITLED, UNTITLED, asked_words, bridge_candidates, prior_facts
from hopilot.evidence.environment import Environment
from hopilot.evidence.lens import Lenses
from hopilot.evidence.passages import Passage
from hopilot.evidence.state import Limits
from tiny_world import PEOPLE, RIVERS, TOWNS, Scripted, build_index, tiny_dataset

QUESTION = tiny_dataset().questions[0].text
ADA, AMBREL = 0, 8  # rows of the first person and of the town


@pytest.fixture(scope="module")
def index(tmp_path_factory):
    return build_index(tmp_path_factory.mktemp("cache"))


@pytest.fixture(scope="module")
def lens(index):
    return Lenses(index).of(QUESTION)


def names(bridges):
    return [bridge.name for bridge in bridges]


def test_an_entity_in_the_evidence_is_a_candidate_with_what_is_known_of_it(lens, index):
    town = next(bridge for bridge in bridge_candidates(lens, (ADA,)) if bridge.name == TOWNS[0])
    assert (town.row, town.mentions, town.passages) == (AMBREL, 1, 1)
    assert (town.in_question, town.from_named, town.first_sentence) == (False, True, 1)
    assert town.similarity == index.score(AMBREL, lens.vector)
    assert town.source_score == index.score(ADA, lens.vector)
    assert town.question_overlap == pytest.approx(len({"born", "ada", "quill"}) / len(lens.terms))
    assert town.query.startswith(f"{TOWNS[0]} ")


def test_an_entity_whose_passages_are_all_held_leads_nowhere(lens):
    assert TOWNS[0] in names(bridge_candidates(lens, (ADA,)))
    assert TOWNS[0] not in names(bridge_candidates(lens, (ADA, AMBREL)))
    assert RIVERS[0] in names(bridge_candidates(lens, (AMBREL,)))  # without a title, it may still lead on


def test_an_entity_with_one_unheld_passage_is_still_a_candidate(tmp_path):
    passages = [
        Passage.of("Start", "They saw Inception there."),
        Passage.of("Inception (film)", "A film."),
        Passage.of("Inception", "A start."),
    ]
    lens = Lenses(build_index(tmp_path, passages)).of("Who made the work?")
    (bridge,) = bridge_candidates(lens, (0, 2))
    assert (bridge.name, bridge.row) == ("Inception", 1)
    assert bridge_candidates(lens, (0, 1, 2)) == ()


def test_without_evidence_there_are_no_candidates(lens):
    assert bridge_candidates(lens, ()) == ()


def test_the_order_of_passages_does_not_matter_to_an_environment(tmp_path):
    passages = [
        Passage.of("First", "It is praised by ZORBLAX. It lies near Ambrel."),
        Passage.of("Second", "It is praised by Zorblax. It lies near AMBREL."),
        Passage.of("Third", "It lies near Birkham."),
    ]
    index = build_index(tmp_path, passages)
    found = {
        Environment(index, Scripted())._candidates("Who praised it?", rows) for rows in permutations(range(3))
    }
    assert len(found) == 1
    assert [bridge.name for bridge in found.pop()] == ["ZORBLAX", "Ambrel", "Birkham"]


def test_candidates_come_best_first_and_at_most_eight(lens, index):
    rows = tuple(range(len(PEOPLE)))
    bridges = bridge_candidates(lens, rows)
    assert len(bridges) == 8
    assert [bridge.score for bridge in bridges] == sorted((bridge.score for bridge in bridges), reverse=True)
    assert bridges[0].name == TOWNS[0]


def test_the_score_is_the_weighted_sum_of_the_facts(lens):
    for bridge in bridge_candidates(lens, (ADA, AMBREL, 1)):
        weights = TITLED if bridge.row >= 0 else UNTITLED
        facts = prior_facts(bridge, 3)
        assert bridge.score == pytest.approx(sum(weights[name] * facts[name] for name in weights))


def test_asked_words_leave_out_what_held_titles_name(lens):
    assert asked_words(lens, ()) == "river flows birthplace Ada Quill"
    assert asked_words(lens, (ADA,)) == "river flows birthplace"


def test_an_expanded_entity_does_not_come_back_in_another_spelling(tmp_path):
    passages = [
        Passage.of("First", "It is praised by ZORBLAX."),
        Passage.of("Second", "It is praised by Zorblax."),
        Passage.of("Third", "An unrelated thing."),
    ]
    environment = Environment(build_index(tmp_path, passages), Scripted(), Limits(passages_per_retrieval=1))
    (state,) = environment.start(["Who praised the second and the third thing?"])
    while not state.bridges:
        (state,) = environment.step([(state, environment.valid(state)[0])])
    expand = next(action for action in environment.valid(state) if action.kind == "bridge_entity_expand")
    seen = set()
    for _ in range(3):
        (state,) = environment.step([(state, expand)])
        seen |= {bridge.name.casefold() for bridge in state.bridges}
        if not state.bridges:
            break
    assert "zorblax" not in seen


def test_lenses_keep_a_question_s_view_and_forget_the_oldest(index, monkeypatch):
    monkeypatch.setattr("hopilot.evidence.lens._KEPT", 2)
    lenses = Lenses(index)
    first, second = lenses.of("One?"), lenses.of("Two?")
    assert lenses.of("One?") is first
    lenses.of("Three?")
    assert lenses.of("One?") is first
    assert lenses.of("Two?") is not second


def test_a_glance_tells_what_a_passage_has_to_do_with_the_question(lens, index):
    glance, other = lens.glance(ADA), lens.glance(AMBREL)
    assert (glance.in_question, other.in_question) == (True, False)
    assert glance.covered == frozenset({"born", "ada", "quill"})
    assert glance.similarity == index.score(ADA, lens.vector)
    assert lens.covered((ADA, AMBREL)) == glance.covered | other.covered
    assert lens.glance(ADA) is glance
