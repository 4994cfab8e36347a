import gzip
import json

import pytest
from hopilot.errors import InputError
from hopilot.questions import load_dataset


@pytest.mark.parametrize("form", ["json", "jsonl"])
@pytest.mark.parametrize("gz", [False, True])
@pytest.mark.parametrize("bom", [False, True])
def test_every_container_gives_the_same_questions(write, hotpotqa, form, gz, bom):
    plain = load_dataset(write(hotpotqa(), hotpotqa(_id="h2")))
    assert load_dataset(write(hotpotqa(), hotpotqa(_id="h2"), form=form, gz=gz, bom=bom)).questions == (
        plain.questions
    )


@pytest.mark.parametrize("form", ["json", "jsonl", "parquet"])
def test_official_and_columnar_shapes_give_equal_questions(write, hotpotqa, two_wiki, columnar, form):
    for record in (hotpotqa(), two_wiki(answer_aliases=["River Ister"])):
        official = load_dataset(write(record))
        export = load_dataset(write(columnar(record), form=form))
        assert (export.name, export.questions) == (official.name, official.questions)
        assert export.fingerprint == official.fingerprint


def test_tables_held_as_json_text_or_as_objects_are_read(write, two_wiki):
    record = two_wiki()
    as_text = record | {name: json.dumps(record[name]) for name in ("context", "supporting_facts")}
    as_objects = record | {
        "context": [{"title": title, "sentences": body} for title, body in record["context"]],
        "supporting_facts": [{"title": title, "sent_id": at} for title, at in record["supporting_facts"]],
    }
    expected = load_dataset(write(record)).questions
    assert load_dataset(write(as_text)).questions == expected
    assert load_dataset(write(as_objects)).questions == expected


def test_musique_is_read_from_parquet_and_from_columns(write, musique):
    record = musique()
    names = ("idx", "title", "paragraph_text", "is_supporting")
    columns = {name: [row[name] for row in record["paragraphs"]] for name in names}
    expected = load_dataset(write(record, form="jsonl")).questions
    assert load_dataset(write(record, form="parquet")).questions == expected
    assert load_dataset(write(record | {"paragraphs": columns})).questions == expected


def test_a_line_cut_in_the_middle_is_named(write, musique):
    path = write(musique(), musique(id="2hop__3_4"), form="jsonl")
    path.write_bytes(path.read_bytes()[:-40])
    with pytest.raises(InputError, match="not a complete JSON object") as failure:
        load_dataset(path)
    assert failure.value.where == f"{path}:2"


def test_a_cut_json_list_is_named_with_its_line(write, hotpotqa):
    path = write(hotpotqa())
    path.write_bytes(path.read_bytes()[:200])
    with pytest.raises(InputError, match=rf"{path}:\d+: not valid JSON"):
        load_dataset(path)


@pytest.mark.parametrize("form", ["json", "jsonl"])
def test_bytes_that_are_not_utf8_are_named_with_their_line(write, hotpotqa, form):
    path = write(hotpotqa(), form=form)
    data = path.read_bytes().replace(b"river", b"r\xe9ver", 1)
    path.write_bytes(b"\n\n" + data if form == "jsonl" else data)
    with pytest.raises(InputError, match=r"not UTF-8 text \(byte 0xe9\)") as failure:
        load_dataset(path)
    line = data[: data.index(b"\xe9")].count(b"\n") + 1
    assert failure.value.where == f"{path}:{3 if form == 'jsonl' else line}"


def test_utf16_is_refused(tmp_path):
    path = tmp_path / "questions"
    path.write_text('[{"a": 1}]', encoding="utf-16")
    with pytest.raises(InputError, match="not UTF-8"):
        load_dataset(path)


def test_blank_lines_are_skipped_and_still_counted(write, own):
    path = write(own(), form="jsonl")
    path.write_bytes(b"\n  \n" + path.read_bytes() + b'{"id": \n')
    with pytest.raises(InputError) as failure:
        load_dataset(path)
    assert failure.value.where == f"{path}:4"


def test_a_missing_file_a_folder_and_an_empty_file_are_refused(tmp_path):
    with pytest.raises(InputError, match="no such file"):
        load_dataset(tmp_path / "nothing")
    with pytest.raises(InputError, match="is a folder"):
        load_dataset(tmp_path)
    for number, data in enumerate([b"", b" \n ", b"\xef\xbb\xbf", gzip.compress(b"")]):
        path = tmp_path / str(number)
        path.write_bytes(data)
        with pytest.raises(InputError, match="is empty"):
            load_dataset(path)
    path.write_bytes(b"[]")
    with pytest.raises(InputError, match="no records"):
        load_dataset(path)


def test_a_cut_gzip_file_and_a_cut_parquet_file_are_refused(write, hotpotqa, own):
    for path, message in [
        (write(hotpotqa(), gz=True), "gzip data are cut"),
        (write(own(), form="parquet"), "parquet data are cut"),
    ]:
        path.write_bytes(path.read_bytes()[:-30])
        with pytest.raises(InputError, match=message):
            load_dataset(path)


def test_an_archive_is_named_and_other_text_is_refused(tmp_path):
    path = tmp_path / "questions"
    path.write_bytes(b"PK\x03\x04rest")
    with pytest.raises(InputError, match="zip archive"):
        load_dataset(path)
    path.write_text("id,question\n1,Who?\n")
    with pytest.raises(InputError, match="not a complete JSON object") as failure:
        load_dataset(path)
    assert "JSONL" in failure.value.expected
    path.write_text("[1, 2]")
    with pytest.raises(InputError, match="record 1: the record is a int"):
        load_dataset(path)


def test_a_field_given_twice_with_two_values_is_refused(tmp_path, write, own):
    line = json.dumps(own())
    twice = tmp_path / "twice"
    twice.write_text(line.replace('"hops": 2', '"hops": 2, "hops": 3') + "\n")
    with pytest.raises(InputError, match="'hops' of record 'o1' stands twice"):
        load_dataset(twice)
    twice.write_text(line.replace('"hops": 2', '"hops": 2, "hops": 2') + "\n")
    assert load_dataset(twice).questions == load_dataset(write(own())).questions


def test_deep_nesting_and_absurd_numbers_are_refused_without_a_crash(tmp_path):
    path = tmp_path / "questions"
    for text in ["[" * 200_000, "[" + "9" * 5000 + "]"]:
        path.write_text(text)
        with pytest.raises(InputError):
            load_dataset(path)
