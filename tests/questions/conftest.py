"""Small invented records in the official shapes, and a writer for every container."""

import gzip
import json
from pathlib import Path

import pytest

CONTEXT = [
    ["Orla Vane", ["Orla Vane is a painter.", "She was born in Dunmarsh."]],
    ["Dunmarsh", ["Dunmarsh is a town.", "It lies on the Ister."]],
    ["Ister", ["The Ister is a river."]],
]


@pytest.fixture
def hotpotqa():
    def record(**changes):
        return {
            "_id": "h1",
            "question": "On which river lies the birthplace of Orla Vane?",
            "answer": "Ister",
            "type": "bridge",
            "level": "hard",
            "supporting_facts": [["Orla Vane", 1], ["Dunmarsh", 1]],
            "context": CONTEXT,
        } | changes

    return record


@pytest.fixture
def two_wiki(hotpotqa):
    def record(**changes):
        return hotpotqa(type="compositional", evidences=[["Orla Vane", "born in", "Dunmarsh"]]) | changes

    return record


@pytest.fixture
def musique():
    def paragraph(idx, title, text, supporting):
        return {"idx": idx, "title": title, "paragraph_text": text, "is_supporting": supporting}

    def record(**changes):
        return {
            "id": "2hop__11_22",
            "question": "On which river lies the birthplace of Orla Vane?",
            "answer": "Ister",
            "answer_aliases": ["River Ister", "the Ister"],
            "answerable": True,
            "question_decomposition": [{"paragraph_support_idx": 2}, {"paragraph_support_idx": 0}],
            "paragraphs": [
                paragraph(0, "Dunmarsh", "Dunmarsh is a town on the Ister.", True),
                paragraph(1, "Dunmarsh", "Dunmarsh is a novel about a marsh.", False),
                paragraph(2, "Orla Vane", "Orla Vane, a painter, was born in Dunmarsh.", True),
            ],
        } | changes

    return record


@pytest.fixture
def own():
    def record(**changes):
        return {
            "id": "o1",
            "question": "On which river lies the birthplace of Orla Vane?",
            "answers": ["Ister", "River Ister"],
            "kind": "bridge",
            "hops": 2,
            "passages": [
                {"title": "Dunmarsh", "text": "Dunmarsh lies on the Ister.", "supporting": 2},
                {"title": "Orla Vane", "text": "Orla Vane was born in Dunmarsh.", "supporting": 1},
                {"title": "Ister", "text": "The Ister is a river."},
            ],
        } | changes

    return record


@pytest.fixture
def columnar():
    """The columns of a hub export, from an official HotpotQA or 2Wiki record."""

    def record(official):
        context, facts = official["context"], official["supporting_facts"]
        kept = {name: value for name, value in official.items() if name != "_id"}
        return kept | {
            "id": official["_id"],
            "context": {"title": [row[0] for row in context], "sentences": [row[1] for row in context]},
            "supporting_facts": {"title": [row[0] for row in facts], "sent_id": [row[1] for row in facts]},
        }

    return record


@pytest.fixture
def write(tmp_path):
    """Write records as json, jsonl or parquet; the name tells nothing, as the content has to."""

    def writer(*records, form="json", gz=False, bom=False) -> Path:
        path = tmp_path / f"{form}-{len(list(tmp_path.iterdir()))}"
        if form == "parquet":
            pyarrow = pytest.importorskip("pyarrow")
            parquet = pytest.importorskip("pyarrow.parquet")
            parquet.write_table(pyarrow.Table.from_pylist(list(records)), path)
            return path
        lines = "".join(json.dumps(record, ensure_ascii=False) + "\n" for record in records)
        data = lines.encode() if form == "jsonl" else json.dumps(records, indent=1).encode()
        data = b"\xef\xbb\xbf" + data if bom else data
        path.write_bytes(gzip.compress(data) if gz else data)
        return path

    return writer
