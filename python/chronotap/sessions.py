"""Sessions of a study in real time: one participant, trial after trial, into a dataset.

:meth:`chronotap.Experiment.run` runs one. What it shows and asks goes to a :class:`Frontend`; by default
that is the terminal. Subclass it to show texts and ask questions in a window of your own.
"""

from __future__ import annotations

import json
import os
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any, Literal, TypeAlias

import pandas as pd

from chronotap import _native
from chronotap._signals import asked_to_end
from chronotap.dataset import Dataset, read_dataset
from chronotap.frames import json_of
from chronotap.linux import native

Wish: TypeAlias = "Literal['go on', 'stop'] | tuple[Literal['repeat', 'skip'], str]"
"""How a session goes on after a trial was ended by hand: ``("repeat", REASON)`` runs it again, ``("skip",
REASON)`` leaves the next one out."""

AfterPractice: TypeAlias = "Literal['go on', 'again', 'stop']"
"""How a session goes on after practice that did not reach its criterion."""

_TURN_MS = 50  # so long Python's signals may wait


@dataclass(frozen=True)
class Question:
    """Something that is asked."""

    name: str
    """Its name in the experiment file."""
    text: str
    expected: str
    """What may be answered, in words."""
    experimenter: bool
    """Whether the experimenter is asked; else the participant."""
    refused: str | None = None
    """The answer that was given before and may not be given; None where it is asked for the first time."""


@dataclass(frozen=True)
class SessionEnded:
    """A session that is over for now."""

    participant: str
    session: int
    complete: bool
    """Whether nothing is left to do; else running it again goes on with it."""
    ended: Literal["participation", "session"] | None
    """What an answer ended (`stop_if`), so that the rest of the plan was not run; None where none did."""
    sound: bool
    """Whether no trial that counts failed its timing or brought unusable data."""
    trials_done: int
    """Trials that came to their end, also those of before it was taken up again."""
    data: Path = field(repr=False)
    """The dataset."""

    def read(self) -> Dataset[pd.DataFrame]:
        """The trials of this participant in the dataset, of all sessions."""
        return read_dataset(self.data, participants=[self.participant], with_excluded=True)


class Frontend:
    """Where a session shows and asks: this one at the terminal. Override what shall be elsewhere; the
    session waits for each answer. An error in one of these stops the session, and what was recorded
    is kept."""

    def show(self, text: str) -> None:
        """Shows a text to the participant; :meth:`wait` is asked next where it waits for somebody."""
        print(f"\n{text}\n")

    def ask(self, question: Question) -> str:
        """The answer to a question. It is asked again where it may not be given."""
        if question.refused is not None:
            print(f"Please answer with {question.expected}.")
        try:
            return input(f"{question.text} ({question.expected}) ")
        except EOFError:
            cure = f"give answers={{{question.name!r}: …}} ({question.expected})"
            raise ValueError(f"nobody is there to answer {question.text!r}; {cure}") from None

    def wait(self, what: Literal["tap", "key", "experimenter"]) -> bool:
        """Waits for what begins the next trial or ends a text. True goes on at once. False, where it is
        a tap, waits for that at the pads: come back at once then."""
        if what == "tap":
            print("(a tap goes on)")
            return False
        try:
            input("(Enter goes on) " if what == "key" else "(the experimenter: Enter goes on) ")
        except EOFError:
            pass  # nobody is there to wait for
        return True

    def confirm(self, about: str, text: str) -> bool:
        """Whether the session goes on although something is doubtful: ``about`` is ``new participant``,
        ``long pause``, ``turn`` (a session out of its turn) or ``tone``."""
        try:
            return input(f"{text} (yes or no) ").strip().lower() in ("y", "yes")
        except EOFError:
            if about in ("new participant", "long pause"):
                return True
            raise ValueError(f"nobody is there to answer {text!r}; override confirm of the frontend") from None

    def practice(self, step: str, text: str) -> AfterPractice:
        """How the session goes on after practice that did not reach its criterion: ``text`` says how far
        it was from it. ``again`` is one more trial of practice."""
        try:
            answer = input(f"{text} (yes, no: stop, again: practise once more) ").strip().lower()
        except EOFError:
            raise ValueError(f"nobody is there to answer {text!r}; override practice of the frontend") from None
        if answer in ("a", "again"):
            return "again"
        return "go on" if answer in ("y", "yes") else "stop"

    def choose(self) -> Wish:
        """How the session goes on after a trial was ended by hand."""
        return "stop"

    def told(self, event: Mapping[str, Any]) -> None:
        """What happens: ``event["kind"]`` is ``opened``, ``trial next``, ``trial begins``, ``trial ended``,
        ``pause`` or ``remark``; the other keys say the rest."""
        if event["kind"] == "trial ended":
            mean = event["mean_asynchrony_ms"]
            shown = "" if mean is None else f", asynchrony {mean:.1f} ms"
            timing = "timing passed" if event["timing_passed"] else "TIMING FAILED"
            print(f"{event['step']} trial {event['trial']}: {event['taps']} taps{shown}, {timing}")
            for complaint in event["complaints"]:
                print(f"    {complaint}")
        elif event["kind"] == "remark":
            print(event["text"])


def run_session(how: _native._Session, frontend: Frontend) -> SessionEnded:
    """Runs a session to its end, or until it is stopped."""
    running = native("start_session")(how)
    with asked_to_end():
        try:
            done = _answered(running, frontend)
        except BaseException:
            running.stop()
            for _ in _lines(running):
                pass  # until it is over: what was recorded is kept
            raise
    if "error" in done:
        raise RuntimeError(done["error"])
    told = done["done"]
    return SessionEnded(
        participant=told["participant"],
        session=how["session"],
        complete=told["complete"],
        ended=told["answered"],
        sound=told["sound"],
        trials_done=told["trials"],
        data=Path(os.fspath(how["data"])),
    )


def _answered(running: Any, frontend: Frontend) -> dict[str, Any]:
    """Answers whatever the session asks; what it says at its end."""
    line: dict[str, Any] = {}
    for line in _lines(running):
        kind = line["kind"]
        if kind == "text":
            frontend.show(line["text"])
            running.reply("null")
        elif kind == "question":
            names = ("name", "text", "expected", "experimenter", "refused")
            answer = frontend.ask(Question(**{name: line[name] for name in names}))
            running.reply(json.dumps(_text(line["name"], answer)))
        elif kind == "waits":
            running.reply(json.dumps(bool(frontend.wait(line["for"]))))
        elif kind == "confirm":
            running.reply(json.dumps(bool(frontend.confirm(line["about"], line["text"]))))
        elif kind == "practice":
            running.reply(json.dumps(_after_practice(frontend.practice(line["step"], line["text"]))))
        elif kind == "choose":
            running.reply(json.dumps(_wish(frontend.choose())))
        elif kind != "over":
            frontend.told(line)
    return line


def _lines(running: Any) -> Iterator[dict[str, Any]]:
    """What the session says, until it is over."""
    while True:
        line = running.next_line(_TURN_MS)  # between two turns Python looks for signals
        if line is not None:
            told = json_of(line)
            yield told
            if told["kind"] == "over":
                return


def _text(name: str, answer: object) -> str:
    if isinstance(answer, bool) or not isinstance(answer, (str, int, float)):
        raise TypeError(f"the answer to {name!r} is {answer!r}: give a text or a number")
    return str(answer)


def _after_practice(chosen: object) -> str:
    if chosen in ("go on", "again", "stop"):
        return str(chosen)
    raise TypeError(f"{chosen!r}: give 'go on', 'again' or 'stop'")


def _wish(wish: object) -> dict[str, str]:
    if wish in ("go on", "stop"):
        return {"wish": str(wish)}
    if isinstance(wish, tuple) and len(wish) == 2 and wish[0] in ("repeat", "skip"):
        return {"wish": wish[0], "text": str(wish[1])}
    raise TypeError(f"{wish!r}: give 'go on', 'stop', ('repeat', REASON) or ('skip', REASON)")


def answers_of(given: Mapping[str, object] | None) -> dict[str, str]:
    """Answers by their names, as texts."""
    if given is not None and not isinstance(given, Mapping):
        raise TypeError(f"answers = {given!r}: give a dictionary, such as {{'age': 30}}")
    return {str(name): _text(str(name), answer) for name, answer in (given or {}).items()}
