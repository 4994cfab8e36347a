import pyarrow as pa
import pyarrow.parquet as pq
import pytest
from hopilot.evidence.passages import Passage
from hopilot.evidence.state import Bridge, Held, Hit, State, Step, Usage, Verdict
from hopilot.trajectories.explorers import EXPLORERS
from hopilot.trajectories.schema import TABLES, schema_of, state_from_row, state_to_row
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st
from tiny_world import build_index, open_world, tiny_dataset

WHOLE = st.characters(exclude_categories=["Cs"])
TEXT = st.text(WHOLE, max_size=12)
FLOAT = st.floats(allow_nan=False)
SMALL = st.integers(-1, 2**31 - 1)
ROW = st.integers(0, 23)
INDEX = None


@pytest.fixture(scope="module")
def index(tmp_path_factory):
    return build_index(tmp_path_factory.mktemp("cache"))


def stored(rows, path):
    """Return rows after they went through a file."""
    pq.write_table(pa.Table.from_pylist(rows, schema=schema_of("states")), path)
    return pq.read_table(path, schema=schema_of("states")).to_pylist()


@pytest.mark.parametrize("scripted", [True, False])
def test_states_that_were_met_come_back_as_they_were(index, tmp_path, scripted):
    environment = open_world(tmp_path, scripted=scripted)
    trees = EXPLORERS["exhaustive"].explore(environment, [q.text for q in tiny_dataset(2).questions], 1, 13)
    states = [edge.child.state for tree in trees for node in tree.expanded for edge in node.edges]
    rows = stored([state_to_row("q", at, state) for at, state in enumerate(states)], tmp_path / "x.parquet")
    assert [state_from_row(row, index) for row in rows] == states
    assert len({state.verdict for state in states}) > 1


def made(draw_held, index):
    return tuple(Held(index.passage(row), row, score, rank, action) for row, score, rank, action in draw_held)


states = st.builds(
    dict,
    question=TEXT,
    evidence=st.lists(st.tuples(ROW, FLOAT, SMALL, TEXT), max_size=3),
    ranking=st.lists(st.builds(Hit, ROW, FLOAT), max_size=3).map(tuple),
    cursor=SMALL,
    queries=st.lists(TEXT, max_size=3).map(tuple),
    history=st.lists(st.builds(Step, TEXT, TEXT, TEXT, SMALL, FLOAT, TEXT), max_size=3).map(tuple),
    gaps=st.lists(TEXT, max_size=3).map(tuple),
    verdict=st.none() | st.builds(Verdict, st.booleans(), FLOAT, st.lists(TEXT, max_size=2).map(tuple)),
    bridges=st.lists(
        st.builds(
            Bridge,
            TEXT,
            TEXT,
            FLOAT,
            SMALL,
            SMALL,
            SMALL,
            FLOAT,
            FLOAT,
            FLOAT,
            st.booleans(),
            st.booleans(),
            SMALL,
            FLOAT,
        ),
        max_size=2,
    ).map(tuple),
    checked_at=SMALL,
    rewritten_at=SMALL,
    active_query=TEXT,
    usage=st.builds(Usage, SMALL, SMALL, SMALL, SMALL),
    stop_reason=TEXT,
)


@settings(suppress_health_check=[HealthCheck.function_scoped_fixture], max_examples=40, deadline=None)
@given(states)
def test_any_state_comes_back_as_it_was(index, tmp_path, fields):
    state = State(**{**fields, "evidence": made(fields["evidence"], index)})
    (row,) = stored([state_to_row("q", 0, state)], tmp_path / "x.parquet")
    assert state_from_row(row, index) == state


def test_every_field_of_a_state_is_stored():
    row = state_to_row("q", 0, State("?"))
    assert list(row) == schema_of("states").names
    whole = {field for field in State.__dataclass_fields__ if field not in ("evidence", "ranking")}
    assert whole <= set(row)


def test_the_schema_stands_even_where_a_column_is_all_null(index, tmp_path):
    bare = [state_to_row("q", 0, State("?"))]
    judged = [state_to_row("q", 0, State("?", verdict=Verdict(False, 0.5, ("a",)), gaps=("a",)))]
    for name, rows in (("bare", bare), ("judged", judged)):
        stored(rows, tmp_path / f"{name}.parquet")
    both = pa.concat_tables([pq.read_table(tmp_path / f"{name}.parquet") for name in ("bare", "judged")])
    assert both.schema == schema_of("states")
    assert [row["verdict"] is None for row in both.to_pylist()] == [True, False]


def test_run_time_tables_have_no_place_for_gold():
    gold = set(schema_of("labels").names) - {"question_id", "state", "action", "candidate"}
    assert gold == {"recall_before", "recall_after", "best_before", "best_after", "full_before", "full_after"}
    for table in TABLES[:2]:
        assert not gold & set(schema_of(table).names)
        assert [name for name in schema_of(table).names if "gold" in name or "support" in name] == []


def test_a_passage_is_stored_by_its_row(index):
    state = State("?", evidence=(Held(index.passage(3), 3, 0.1, 0, "gap_query"),))
    assert state_from_row(state_to_row("q", 0, state), index).passages == (index.passage(3),)
    assert isinstance(index.passage(3), Passage)
