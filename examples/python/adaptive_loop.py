# %% [markdown]
# # An adaptive experiment, as one writes it with PsychoPy
#
# Which delay of the feedback slows this person by five percent? A staircase decides after every
# trial; screens stand between trials. Your script keeps the loop, the windows and the keyboard;
# Chronotap runs the trials, whose timing does not pass through Python.
#
#     python examples/python/adaptive_loop.py [TRIALS]
#
# Nothing here needs PsychoPy: `Screen` stands where its window would be. With PsychoPy it is
#
#     win = visual.Window()
#     def show(text): visual.TextStim(win, text).draw(); win.flip()

# %%
import sys

import chronotap as ct
from chronotap import statistics

GOAL_PERCENT = 5.0
TRIAL = ct.Trial(
    title="Continuation with delayed feedback",
    pacing={"metronome": {"start": "200 ms", "interval": "200 ms", "beats": 4}},
    feedback={"tone": {"delay": "0 ms", "duration": "50 ms"}},
    when=[{"tap": 8, "end": True}, {"time": "10 s", "end": True}],
)


class Screen:
    """What the participant sees; here a line of text."""

    def show(self, text: str) -> None:
        print(text)

    def wait_for_key(self) -> None:
        """With PsychoPy: `event.waitKeys()`."""


class Staircase:
    """One up, one down; the step is halved at each reversal."""

    def __init__(self, start: float, step: float, lowest: float, highest: float) -> None:
        self.level, self.step, self.last = start, step, 0
        self.lowest, self.highest = lowest, highest

    def answer(self, slowed_enough: bool) -> None:
        direction = -1 if slowed_enough else 1
        if direction == -self.last:
            self.step /= 2
        self.last = direction
        self.level = min(max(self.level + direction * self.step, self.lowest), self.highest)


# %%
def own_tempo_ms(finished: ct.Finished) -> float:
    """Mean interval of the taps after the metronome."""
    alone = finished.taps.loc[finished.taps["fate"] == "unpaced", "onset_ns"]
    found = statistics.intervals(alone.diff().dropna() / 1e6).mean_ms
    if found is None:
        raise SystemExit("nobody tapped")
    return found


def experiment(rig: ct.Rig, screen: Screen, trials: int, **how: object) -> list[float]:
    """The levels of the staircase, trial after trial."""
    screen.show("Tap along, and go on when the metronome stops. Press a key to begin.")
    screen.wait_for_key()
    usual = own_tempo_ms(rig.run(TRIAL, seed=0, **how))
    staircase, levels = Staircase(start=40, step=40, lowest=0, highest=150), []
    for number in range(1, trials + 1):
        levels.append(staircase.level)
        trial = TRIAL.changed({"feedback.tone.delay": f"{staircase.level:g} ms"})
        finished = rig.run(trial, seed=number, **how)
        slowing = 100 * (own_tempo_ms(finished) / usual - 1)
        screen.show(f"trial {number}: {staircase.level:g} ms slowed by {slowing:.1f} %")
        staircase.answer(slowing >= GOAL_PERCENT)
    return levels


# %% [markdown]
# ## Run it
# Here on a virtual wire with a simulated participant. With a drum pad:
# `ct.Rig(ct.Ports(inputs="alsa:Drum Pad", outputs="alsa:Drum Pad"))`, and no `participant`.
# Ctrl-C ends the trial that runs, keeps its data, and leaves the loop.

# %%
if __name__ == "__main__":
    number = int(sys.argv[1]) if len(sys.argv) > 1 else 8
    try:
        with ct.Rig("wire") as devices:
            who = "tapper, clock = 2 ms, motor = 1 ms, feedback = 0.2"
            levels = experiment(devices, Screen(), number, data="data", name="adaptive", participant=who)
        print("delays tried:", *(f"{level:g}" for level in levels))
    except ct.TrialInterrupted as interruption:
        print(interruption)
