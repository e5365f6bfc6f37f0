"""Whole sessions in real time from Python leave the dataset that `chronotap run` leaves."""

from __future__ import annotations

import signal
import threading
import time
from collections.abc import Mapping
from pathlib import Path
from typing import Any

import pytest

import chronotap as ct

TRIAL = ct.Trial(
    pacing={"metronome": {"interval": "100 ms", "beats": 6}},
    when=[{"time": "1700 ms", "end": True}],
)


def study(**more: Any) -> ct.Experiment:
    """Four trials, a question about the person and one after the trials."""
    given: dict[str, Any] = {
        "task": "short",
        "trial": "trial.toml",
        "participants": 2,
        "factor": {"interval": ["100 ms", "120 ms"]},
        "set": {"pacing": {"metronome": {"interval": {"factor": "interval"}}}},
        "participant": {"age": {"question": "How old are you?", "number": [18, 99]}},
        "step": [
            {"name": "welcome", "text": "Welcome!"},
            {"name": "main", "repetitions": 1, "shuffle": "all", "gap": "0 s"},
            {"name": "after", "ask": ["tired"]},
        ],
        "question": {"tired": {"text": "How tired are you?", "scale": [1, 5]}},
    }
    return ct.Experiment({"trial.toml": TRIAL}, **{**given, **more})


class Recorder(ct.Frontend):
    """A frontend that answers by a list and keeps what it was told."""

    def __init__(self, answers: Mapping[str, list[object]]) -> None:
        self.answers = {name: list(given) for name, given in answers.items()}
        self.seen: list[str] = []
        self.events: list[Mapping[str, Any]] = []

    def show(self, text: str) -> None:
        self.seen.append(text)

    def ask(self, question: ct.Question) -> Any:
        self.seen.append(f"{question.name}: {question.text} {question.refused}")
        return self.answers[question.name].pop(0)

    def wait(self, what: str) -> bool:
        self.seen.append(f"waits for {what}")
        return True

    def confirm(self, about: str, text: str) -> bool:
        return True

    def told(self, event: Mapping[str, Any]) -> None:
        self.events.append(event)


def test_a_session_asks_shows_runs_and_leaves_its_dataset(tmp_path: Path) -> None:
    frontend = Recorder({"age": [200, 30], "tired": ["4"]})
    ended = study().run(tmp_path / "data", "1", frontend=frontend, priority=None, by="me")
    assert ended.complete and ended.participant == "01" and ended.trials_done == 2
    assert [one for one in frontend.seen if one.startswith("age")] == [
        "age: How old are you? None",
        "age: How old are you? 200",
    ]
    assert "Welcome!" in frontend.seen and any(one.startswith("waits for") for one in frontend.seen)
    kinds = [event["kind"] for event in frontend.events]
    assert kinds.count("trial ended") == 2 and kinds[0] == "opened"
    read = ended.read()
    assert sorted(read.trials["interval"]) == ["100 ms", "120 ms"] and read.trials["counts"].all()
    assert read.participants["age"].tolist() == [30]
    beats = read.events.query("trial_type == 'pacing'").groupby("trial").size()
    assert beats.tolist() == [6, 6]
    planned = study().plan(1)["interval"].tolist()
    assert read.trials["interval"].tolist() == planned


def test_a_simulated_session_needs_nobody(tmp_path: Path) -> None:
    ended = study().run(tmp_path / "data", 2, simulate="tapper", priority=None, frontend=Recorder({}))
    assert ended.complete and ended.read().taps["fate"].isin(["matched"]).any()
    with pytest.raises(RuntimeError, match="name another folder as data"):
        study().run(tmp_path / "data", "1", priority=None, frontend=Recorder({}))


def test_ctrl_c_stops_the_session_keeps_the_trial_and_it_goes_on(tmp_path: Path) -> None:
    data, main = tmp_path / "data", threading.get_ident()

    class Cut(Recorder):
        def told(self, event: Mapping[str, Any]) -> None:
            if event["kind"] == "trial begins" and event["trial"] == 2:
                threading.Timer(0.3, lambda: signal.pthread_kill(main, signal.SIGINT)).start()

    answers: dict[str, list[object]] = {"age": [30], "tired": [2]}
    began = time.monotonic()
    with pytest.raises(KeyboardInterrupt):
        study().run(data, "1", frontend=Cut(answers), priority=None)
    assert time.monotonic() - began < 30
    trials = ct.read_dataset(data).trials
    assert trials["counts"].tolist() == [True, False]
    ended = study().run(data, "1", frontend=Recorder({"tired": [2]}), priority=None)
    assert ended.complete and ended.read().trials["counts"].sum() == 2


def test_an_error_in_the_frontend_stops_the_session_and_comes_out(tmp_path: Path) -> None:
    class Broken(Recorder):
        def ask(self, question: ct.Question) -> Any:
            raise LookupError("no window")

    with pytest.raises(LookupError, match="no window"):
        study().run(tmp_path / "data", "1", frontend=Broken({}), priority=None)
    again = study().run(
        tmp_path / "data", "1", answers={"age": 40, "tired": 1}, frontend=Recorder({}), priority=None
    )
    assert again.complete and again.read().participants["age"].tolist() == [40]


def test_what_cannot_be_run_is_refused_with_its_cure(tmp_path: Path) -> None:
    place = tmp_path / "data"
    with pytest.raises(RuntimeError, match=r"answers: age=x: expected"):
        study().run(place, "1", answers={"age": "x"}, frontend=Recorder({}), priority=None)
    with pytest.raises(ValueError, match="priority = 99"):
        study().run(place, "1", priority=99)
    with pytest.raises(TypeError, match="participant = None: give a label"):
        study().run(place, None)  # type: ignore[arg-type]
    with pytest.raises(TypeError, match="answers = 3: give a dictionary"):
        study().run(place, "1", answers=3, priority=None)  # type: ignore[arg-type]
    with pytest.raises(ct.TrialFileError):
        study(trial="nowhere.toml").run(place, "1")
    with pytest.raises(TypeError, match="the answer to 'tired' is None: give a text or a number"):
        study().run(place, "1", answers={"age": 30}, frontend=Recorder({"tired": [None]}), priority=None)


GROUPS = {
    "group": {"musician": "training >= 6", "nonmusician": "otherwise"},
    "clinic": {"levels": ["patient", "control"], "chosen": True},
}


def grouped() -> ct.Experiment:
    training = {"question": "Years of training?", "number": [0, 60]}
    return study(between=GROUPS, participant={"training": training})


def test_a_group_is_asked_for_before_the_session_and_follows_from_the_answer(tmp_path: Path) -> None:
    assert grouped().check().groups == (
        "group: musician if training >= 6, nonmusician otherwise",
        "clinic: the experimenter says which of patient, control",
    )
    doubts: list[str] = []

    class Doubting(Recorder):
        def confirm(self, about: str, text: str) -> bool:
            doubts.append(text)
            return True

    frontend = Doubting({"clinic": ["control"], "training": [6], "tired": ["4"]})
    grouped().run(tmp_path / "data", "1", frontend=frontend, priority=None)
    assert doubts[0] == "Participant 01 is new (clinic: control). Begin?"  # the group follows from the answer
    assert [seen.split(":")[0] for seen in frontend.seen][:2] == ["clinic", "training"]
    assert sum(seen.startswith("training") for seen in frontend.seen) == 1
    people = ct.read_dataset(tmp_path / "data").participants
    assert people[["group", "clinic", "training"]].values.tolist() == [["musician", "control", 6]]


def test_simulated_people_fill_their_groups_and_answer_as_these_do() -> None:
    people = grouped().simulate(n=8).participants
    assert people.groupby(["group", "clinic"]).size().tolist() == [2, 2, 2, 2]
    assert ((people["training"] >= 6) == (people["group"] == "musician")).all()


def test_a_session_in_another_language_records_the_words_of_the_study(tmp_path: Path) -> None:
    translated = study(
        participant={"hand": {"question": "Which hand?", "choice": ["left", "right"]}},
        translation={
            "de": {
                "participant": {"hand": {"question": "Welche Hand?", "choice": ["links", "rechts"]}},
                "question": {"tired": {"text": "Wie müde sind Sie?"}},
                "step": {"welcome": {"text": "Willkommen!"}},
            }
        },
    )
    frontend = Recorder({"hand": ["rechts"], "tired": [4]})
    ended = translated.run(tmp_path / "data", "1", frontend=frontend, priority=None, language="de")
    assert ended.complete and "Willkommen!" in frontend.seen
    assert "hand: Welche Hand? None" in frontend.seen
    people = (tmp_path / "data/participants.tsv").read_text().splitlines()
    assert people[1].split("\t")[people[0].split("\t").index("hand")] == "right"
    (trials,) = (tmp_path / "data").glob("**/*_beh.tsv")
    head, *rows = (line.split("\t") for line in trials.read_text().splitlines())
    assert {row[head.index("language")] for row in rows} == {"de"}
    with pytest.raises(RuntimeError, match='not in the language "fr"; give language one of en, de'):
        translated.run(tmp_path / "other", "1", frontend=frontend, priority=None, language="fr")
