# %% [markdown]
# # Does delayed feedback slow tapping? A study, from simulated data to the figure
#
# Run it whole (`python examples/python/delayed_feedback.py`), or cell by cell in an editor
# that knows `# %%`. It needs `pip install '.[plot]'` in a clone of the repository.

# %%
import matplotlib.pyplot as plt
import pandas as pd

import chronotap as ct
from chronotap import models, plot, statistics

# %% [markdown]
# ## The trial
# Twelve beats to get the tempo, then 30 taps alone, each with its tone, which comes late by
# the delay of the condition.

# %%
TRIAL = """
title = "Continuation with a delay of {delay} ms"

[pacing.metronome]
interval = "500 ms"
beats = 12

[feedback.tone]
delay = "{delay} ms"

[input.pad]

[[when]]
tap = 40
end = true
"""
DELAYS_MS = [0, 50, 100, 150, 200]
print(ct.check(TRIAL.format(delay=100)).title)

# %% [markdown]
# ## Rehearse it
# Twelve simulated people, who differ in tempo-keeping, each once in every condition. A
# simulated person is slowed by a stated share of the delay that is heard.

# %%
people = [f"tapper, clock = {12 + number} ms, feedback = 0.15" for number in range(12)]
parts = []
for place, person in enumerate(people):
    for delay in DELAYS_MS:
        seed = 1 + 100 * place + delay
        taps = ct.simulate(TRIAL.format(delay=delay), seed=seed, participant=person).taps
        parts.append(taps.assign(participant_id=f"sub-{place + 1:02}", delay_ms=delay))
taps = pd.concat(parts, ignore_index=True)

# %% [markdown]
# ## From taps to one number for each person and condition
# Only the taps after the last beat count: their `fate` is `unpaced`.

# %%
alone = taps[taps["fate"] == "unpaced"].copy()
keys = ["participant_id", "delay_ms"]
alone["interval_ms"] = alone.groupby(keys)["onset_ns"].diff() / 1e6
alone = alone.dropna(subset=["interval_ms"])
per_trial = statistics.intervals(alone["interval_ms"], alone[keys]).reset_index()
print(per_trial.groupby("delay_ms")[["mean_ms", "cv"]].mean())

# %% [markdown]
# ## Over people, with intervals

# %%
rows = []
for delay, part in per_trial.groupby("delay_ms"):
    estimate = models.mean(part["mean_ms"])
    rows.append((delay, estimate.value, estimate.low, estimate.high, len(part)))
curve = pd.DataFrame(rows, columns=["delay_ms", "interval_ms", "low", "high", "people"])
print(curve)

# %% [markdown]
# ## The figure

# %%
figure, (left, right) = plt.subplots(1, 2, figsize=(9, 3.6), layout="constrained")
bars = [curve["interval_ms"] - curve["low"], curve["high"] - curve["interval_ms"]]
left.errorbar(curve["delay_ms"], curve["interval_ms"], bars, fmt="o-", color=plot.COLOURS[0], capsize=3)
left.set_xlabel("feedback delay (ms)")
left.set_ylabel("mean inter-tap interval (ms)")
left.set_title(f"{len(people)} simulated people, 95 % of the mean")
for delay in (0, 200):
    one = alone[(alone["participant_id"] == "sub-01") & (alone["delay_ms"] == delay)]
    plot.intervals(one["interval_ms"], right, f"{delay} ms")
right.set_title("one of them")
figure.savefig("delayed_feedback.png", dpi=150)
