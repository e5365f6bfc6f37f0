"""Trials run in real time, over virtual wires. What is asserted is their data, never a time."""

from __future__ import annotations

import gc
import os
import pickle
import signal
import sys
import threading
import time
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

import chronotap as ct

pytestmark = pytest.mark.skipif(not sys.platform.startswith("linux"), reason="real time needs Linux")

SHORT = ct.Trial(
    title="Three beats",
    pacing={"metronome": {"start": "5 ms", "interval": "20 ms", "beats": 3}},
    feedback={"tone": {"duration": "1 ms"}},
    when=[{"time": "90 ms", "end": True}],
)
ENDLESS = ct.Trial(
    title="Until somebody ends it",
    pacing={"metronome": {"interval": "20 ms"}},
    when=[{"time": "60 min", "end": True}],
)


def rig() -> ct.Rig:
    return ct.Rig("wire", priority=None)


def test_trial_after_trial_runs_on_one_rig_and_leaves_its_data(tmp_path: Path) -> None:
    with rig() as devices:
        first = devices.run(SHORT, data=tmp_path, name="one", seed=3, participant="tapper")
        second = devices.run(SHORT, data=tmp_path, name="one", seed=4)
    assert first.files is not None and second.files is not None
    assert [first.files.events.name, second.files.events.name] == [
        "one_run-01_events.tsv",
        "one_run-02_events.tsv",
    ]
    recorded = ct.read_trial(first.files.events)
    assert (recorded.header.seed, recorded.header.mode) == (3, "real time")
    assert recorded.header.performer == {"simulated": "tapper"}
    assert recorded.events["onset_ns"].tolist() == first.events["onset_ns"].tolist()
    taps = ct.read_taps(first.files.events)
    assert taps["asynchrony_ns"].tolist() == first.taps["asynchrony_ns"].tolist()
    assert second.taps.empty and second.ending == "its trigger"
    assert "Three beats" in str(first)


def test_the_statistics_are_there_for_what_comes_next() -> None:
    with rig() as devices:
        finished = devices.run(SHORT, data=None, seed=1)
    assert finished.files is None
    assert finished.value("taps") == 0
    with pytest.raises(KeyError, match="there are .*taps"):
        finished.value("tabs")


def test_events_are_told_while_the_trial_runs() -> None:
    with rig() as devices:
        with devices.start(SHORT, data=None, seed=1) as running:
            told = list(running)
        finished = running.wait()
    beats = [event for event in told if event.event == "pacing"]
    assert [event.number for event in beats] == [1, 2, 3]
    assert all(event.lateness_ns is not None for event in beats)
    assert [event.missed_before for event in told] == [0] * len(told)
    assert {event.event_id for event in told} == set(finished.events["event_id"])


def test_who_is_late_misses_events_is_told_how_many_and_the_data_have_them_all() -> None:
    with rig() as devices:
        running = devices.start(SHORT, data=None, seed=1, room=3)
        finished = running.wait()
        told = list(running)
    assert running.missed > 0
    assert sum(event.missed_before for event in told) <= running.missed
    assert len(finished.events[finished.events["trial_type"] == "pacing"]) == 3


def test_python_may_end_a_trial_by_what_it_sees(tmp_path: Path) -> None:
    with rig() as devices:
        with devices.start(ENDLESS, data=tmp_path, seed=1) as running:
            for event in running:
                if event.event == "pacing" and event.number == 2:
                    running.stop()
        finished = running.wait()
    assert finished.ending == "interruption"
    assert finished.files is not None and finished.files.events.exists()


def test_an_error_in_the_block_ends_the_trial_and_keeps_its_data(tmp_path: Path) -> None:
    with rig() as devices:
        with pytest.raises(ZeroDivisionError):
            with devices.start(ENDLESS, data=tmp_path, seed=1):
                1 / 0  # noqa: B018
        assert devices.run(SHORT, data=None, seed=1).ending == "its trigger"
    assert len(list(tmp_path.glob("trial_run-01_events.tsv"))) == 1


@pytest.mark.parametrize("number", [signal.SIGINT, signal.SIGTERM])
def test_signals_end_the_trial_and_keep_its_data(tmp_path: Path, number: int) -> None:
    def when_it_runs() -> None:
        while not list(tmp_path.glob("*.journal")):
            time.sleep(0.01)
        os.kill(os.getpid(), number)

    with rig() as devices:
        sender = threading.Thread(target=when_it_runs)
        sender.start()
        wanted = ct.TrialInterrupted if number == signal.SIGINT else SystemExit
        with pytest.raises(wanted) as caught:
            devices.run(ENDLESS, data=tmp_path, seed=1)
        sender.join()
        if isinstance(caught.value, ct.TrialInterrupted):
            assert caught.value.finished.ending == "interruption"
        recorded = ct.read_trial(next(tmp_path.glob("*_events.tsv")))
        assert recorded.footer.summary["ending"] == "interruption"
        # The request is forgotten: the next trial runs to its end.
        assert devices.run(SHORT, data=None, seed=1).ending == "its trigger"
    assert signal.getsignal(signal.SIGTERM) == signal.SIG_DFL


def test_closing_a_rig_ends_its_trial() -> None:
    devices = rig()
    running = devices.start(ENDLESS, data=None, seed=1)
    devices.close()
    assert running.wait().ending == "interruption"
    with pytest.raises(RuntimeError, match="closed"):
        devices.run(SHORT, data=None)


def test_one_trial_runs_at_a_time() -> None:
    with rig() as devices:
        running = devices.start(ENDLESS, data=None, seed=1)
        with pytest.raises(RuntimeError, match="running already"):
            devices.start(SHORT, data=None)
        running.stop()
        running.wait()


def test_a_trial_that_nobody_holds_goes_on_and_can_be_ended(tmp_path: Path) -> None:
    with rig() as devices:
        assert devices.running is None
        devices.start(ENDLESS, data=tmp_path, seed=1)
        gc.collect()
        with pytest.raises(RuntimeError, match="running already"):
            devices.run(SHORT, data=None)
        assert devices.running is not None
        assert devices.running.close().ending == "interruption"
        assert devices.running is None
        assert devices.run(SHORT, data=None, seed=1).ending == "its trigger"
    assert len(list(tmp_path.glob("*_events.tsv"))) == 1


def test_a_rig_that_nobody_holds_ends_its_trial(tmp_path: Path) -> None:
    running = rig().start(ENDLESS, data=tmp_path, seed=1)
    gc.collect()
    assert running.wait().ending == "interruption"
    assert len(list(tmp_path.glob("*_events.tsv"))) == 1


def test_mistakes_name_what_is_wrong(tmp_path: Path) -> None:
    with pytest.raises(ValueError, match="wier"):
        ct.Rig("wier")
    with pytest.raises(ValueError, match="priority = 99"):
        ct.Rig("wire", priority=99)
    with rig() as devices:
        with pytest.raises(ct.TrialFileError):
            devices.run("title = 3\n")
        with pytest.raises(ValueError, match="did you mean 'tapper'"):
            devices.run(SHORT, data=None, participant="taper")
        with pytest.raises(ValueError, match="name = 'a/b'"):
            devices.run(SHORT, data=tmp_path, name="a/b")
        with pytest.raises(RuntimeError, match="no port for"):
            devices.run("[input.left]\n[[when]]\ntime = '1 s'\nend = true\n", data=None)


def test_ports_of_trials_have_all_their_names() -> None:
    two = "[input.left]\n[input.right]\n[output.desk]\n[[when]]\ntime = '10 ms'\nend = true\n"
    ports = ct.Ports.of(SHORT, two)
    assert set(ports.inputs) == {"input", "left", "right"}
    assert "desk" in ports.outputs
    with ct.Rig(ports, priority=None) as devices:
        assert devices.run(two, data=None, seed=1).ending == "its trigger"


def test_what_was_asked_of_the_system_is_told() -> None:
    with ct.Rig("wire") as devices:
        rights = {right.what: right for right in devices.rights}
    assert len(rights) >= 2
    assert all(right.granted or right.why_not for right in rights.values())


def test_the_doctor_says_what_is_missing() -> None:
    diagnosis = ct.doctor()
    topics = {finding.topic for finding in diagnosis.findings}
    assert {"rights", "kernel"} <= topics
    assert {finding.status for finding in diagnosis.missing} <= {"bad"}
    assert len(diagnosis.to_frame()) == len(diagnosis.findings)
    assert str(diagnosis).strip()


def test_a_diagnosis_is_short_and_a_notebook_shows_what_is_not_well() -> None:
    def found(name: str, status: str) -> ct.Finding:
        return ct.Finding(name, "rights", status, f"{name} <is> here", "", None, None, None, False)

    findings = (found("memlock", "ok"), found("rtprio", "bad"), found("turbo", "note"))
    diagnosis = ct.Diagnosis(findings, "a long page")
    assert repr(diagnosis) == "<Diagnosis: 1 bad, 1 note, 0 unknown, 1 ok>"
    page = diagnosis._repr_html_()
    assert "rtprio &lt;is&gt; here" in page and "turbo" in page and "memlock" not in page


def test_other_systems_are_told_what_real_time_needs(monkeypatch: pytest.MonkeyPatch) -> None:
    for part in ("Rig", "doctor", "simulate_experiment"):
        monkeypatch.delattr(f"chronotap._native.{part}")
    with pytest.raises(ct.NeedsLinux, match="needs Linux"):
        ct.Rig("wire")
    with pytest.raises(ct.NeedsLinux, match="needs Linux"):
        ct.doctor()
    assert ct.simulate(SHORT, seed=1).trials["seed"].tolist() == [1]


def test_an_interrupt_between_beginning_and_waiting_ends_the_trial_too(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    def interrupted(_running: ct.Running) -> None:
        raise KeyboardInterrupt

    with rig() as devices:
        monkeypatch.setattr(ct.Running, "wait", interrupted)
        with pytest.raises(ct.TrialInterrupted) as caught:
            devices.run(ENDLESS, data=None, seed=1)
        assert caught.value.finished.ending == "interruption"
        assert devices.running is None


@pytest.mark.parametrize("number", [signal.SIGINT, signal.SIGTERM])
@pytest.mark.parametrize("block", [True, False])
def test_signals_end_the_trial_while_its_events_are_looked_at(number: int, block: bool) -> None:
    def look(running: ct.Running) -> None:
        for event in running:
            if event.event == "pacing" and event.number == 1:
                threading.Timer(0.05, os.kill, (os.getpid(), number)).start()

    wanted = ct.TrialInterrupted if number == signal.SIGINT else SystemExit
    with rig() as devices:
        running = devices.start(ENDLESS, data=None, seed=1)
        with pytest.raises(wanted):
            if block:
                with running:
                    look(running)
            else:
                look(running)
        assert devices.running is None
        assert running.wait().ending == "interruption"
    assert signal.getsignal(signal.SIGTERM) == signal.SIG_DFL


def test_an_iterator_that_is_left_and_taken_up_again_leaves_no_signals_taken() -> None:
    with rig() as devices:
        with devices.start(ENDLESS, data=None, seed=1) as running:
            for _ in running:
                break
            first, second = iter(running), iter(running)
            assert next(second).event_id > 0 and next(first).event_id > 0
            first.close()  # type: ignore[attr-defined]
            assert signal.getsignal(signal.SIGTERM) != signal.SIG_DFL
            second.close()  # type: ignore[attr-defined]
            running.stop()
        assert running.wait().ending == "interruption"
    assert signal.getsignal(signal.SIGTERM) == signal.SIG_DFL


def in_a_copy(work: Callable[[], None]) -> None:
    """Does it in a copy of this process, which is given a minute."""
    child = os.fork()
    if child == 0:
        failed = 1
        try:
            work()
            failed = 0
        finally:
            os._exit(failed)
    for _ in range(600):
        ended, status = os.waitpid(child, os.WNOHANG)
        if ended:
            assert status == 0
            return
        time.sleep(0.1)
    os.kill(child, signal.SIGKILL)
    os.waitpid(child, 0)
    raise AssertionError("it did not end")


@pytest.mark.filterwarnings("ignore:.*fork.*:DeprecationWarning")
def test_a_copy_of_the_process_is_told_that_it_has_no_threads_of_the_rig() -> None:
    devices = rig()
    running = devices.start(ENDLESS, data=None, seed=1)

    def in_the_copy() -> None:
        nonlocal devices
        with pytest.raises(RuntimeError, match="opened by the process .* open a rig here"):
            devices.run(SHORT, data=None)
        for asked in (running.wait, running.stop, lambda: next(iter(running))):
            with pytest.raises(RuntimeError, match="this one is a copy of it; wait for it there"):
                asked()
        with rig() as own:  # the trial of the other process does not count here
            assert own.run(SHORT, data=None, seed=1).ending == "its trigger"
        devices.close()
        del devices
        gc.collect()

    in_a_copy(in_the_copy)
    assert devices.running is running
    assert running.close().ending == "interruption"
    assert devices.run(SHORT, data=None, seed=1).ending == "its trigger"
    devices.close()


def test_a_second_trial_is_told_how_to_end_the_first() -> None:
    with rig() as devices, rig() as others:
        running = devices.start(ENDLESS, data=None, seed=1)
        for one in (devices, others):
            with pytest.raises(RuntimeError, match=r"`rig\.running\.close\(\)` of the rig"):
                one.run(SHORT, data=None)
        assert "until its end" in repr(running)
        assert running.close().ending == "interruption"
        assert repr(running) == "<Running 'Until somebody ends it', ended by interruption>"
        assert repr(others) == "<Rig 'wire' to 'wire', open>"
    assert repr(others).endswith("closed>")


def test_a_rig_cannot_be_copied_and_says_what_to_do() -> None:
    with rig() as devices:
        with pytest.raises(TypeError, match="open one in each process"):
            pickle.dumps(devices)


def test_what_came_of_a_trial_can_be_copied(tmp_path: Path) -> None:
    with rig() as devices:
        finished = devices.run(SHORT, data=tmp_path, seed=1, participant="tapper")
    copied = pickle.loads(pickle.dumps(finished))
    assert copied == finished
    assert copied.taps.equals(finished.taps)


@pytest.mark.parametrize(
    ("given", "error", "said"),
    [
        ({"seed": -1}, ValueError, "seed = -1: give a whole number of 0 or more"),
        ({"seed": 2**64}, ValueError, "seed = 18446744073709551616: .* at most"),
        ({"seed": 1.5}, TypeError, "seed = 1.5: give a whole number"),
        ({"limit_us": -5}, ValueError, "limit_us = -5"),
        ({"data": ""}, ValueError, "data = '': name a folder, or None"),
        ({"data": 3}, ValueError, "data = 3: name a folder, or None"),
        ({"name": "a\nb"}, ValueError, "name = 'a.nb'"),
        ({"name": ".."}, ValueError, "name = '..'"),
        ({"name": 3}, TypeError, "name = 3: give a text"),
        ({"name": "x" * 300}, ValueError, "give a shorter one as name"),
        ({"participant": 3}, TypeError, "participant = 3: give a description"),
        ({"trial": 3}, TypeError, "trial = 3: give a Trial, the path"),
    ],
)
def test_what_is_asked_of_a_trial_by_mistake_is_named(
    tmp_path: Path, given: dict[str, Any], error: type[Exception], said: str
) -> None:
    with rig() as devices:
        with pytest.raises(error, match=said):
            devices.run(**{"trial": SHORT, "data": tmp_path, **given})
        assert devices.running is None


@pytest.mark.parametrize("ports", [3, None, {"input": "wire"}, ct.Ports("wire", 3)])  # type: ignore[arg-type]
def test_ports_of_another_kind_are_a_type_error(ports: Any) -> None:
    with pytest.raises(TypeError, match=r"ports = .*: give|outputs = 3: give"):
        ct.Rig(ports, priority=None)


def test_a_port_that_there_is_not_is_named_without_flags_of_the_command() -> None:
    with pytest.raises(ValueError, match="^inputs = wier: there is no port"):
        ct.Rig("wier", priority=None)


def test_the_former_name_still_opens_a_rig_and_warns() -> None:
    with pytest.warns(DeprecationWarning, match="chronotap.Session is now called chronotap.Rig"):
        former = ct.Session("wire", priority=None)
    with former as devices:
        assert isinstance(devices, ct.Rig)
        assert devices.run(SHORT, data=None, seed=1).ending == "its trigger"
