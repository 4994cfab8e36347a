from hopilot.evidence.passages import Passage
from hopilot.questions import Dataset, Question, load_dataset
from hopilot.questions.stats import render, stats

TOWN = Passage.of("Dunmarsh", "A town of ten words, or so it seems today.")
NOVEL = Passage.of("Dunmarsh", "A novel.")
RIVER = Passage.of("Ister", "A river it is.")
DATASET = Dataset(
    "hopilot",
    (
        Question("q1", "Who?", "bridge", 2, ("A",), (TOWN.id, NOVEL.id), (TOWN, NOVEL, RIVER)),
        Question("q2", "What?", "bridge", 3, ("B",), (RIVER.id,), (RIVER, TOWN), missing_support=1),
        Question("q3", "[bold]Why?[/bold]", passages=(RIVER,)),
    ),
    "some/[red]file[/red]",
    ("something odd: 1 time, first in '[q3]'",),
)


def test_everything_is_counted():
    found = stats(DATASET)
    assert (found.questions, found.labelled) == (3, 2)
    assert found.kinds == {"": 1, "bridge": 2}
    assert found.hops == {0: 1, 2: 1, 3: 1}
    assert found.support == {0: 1, 2: 2}
    assert (found.passages, found.repeated_paragraphs, found.titles_with_several_texts) == (3, 3, 1)
    assert found.missing_support == 1
    assert (found.passage_words[0.0], found.passage_words[0.5], found.passage_words[1.0]) == (2, 4, 10)
    assert found.flaws == DATASET.flaws


def test_the_table_shows_counts_and_takes_no_markup_from_a_file():
    table = render(stats(DATASET))
    assert "some/[red]file[/red]" in table
    assert "something odd: 1 time, first in '[q3]'" in table
    assert "3 (2 labelled)" in table
    assert "(unknown): 1, bridge: 2" in table
    assert max(map(len, render(stats(DATASET), width=60).splitlines())) <= 60


def test_a_dataset_without_paragraphs_is_counted_too(write, own):
    dataset = load_dataset(write(own(passages=[])))
    assert stats(dataset).passages == 0
    assert "question without a paragraph" in render(stats(dataset))
