// What Faust's own compiler makes of the study's plugin: nanoseconds a frame, in periods of
// 64 frames, least and median of 200 rounds. An architecture file of Faust, which puts the
// plugin in the place of the two marks; benchmarks/faust.sh builds it.
#include <algorithm>
#include <chrono>
#include <cmath>
#include <cstdio>
#include <string>
#include <vector>
#include <xmmintrin.h>

#define FAUSTFLOAT float
struct Meta { void declare(const char *, const char *) {} };
// The plugin shows its parameters; each keeps the value it begins with.
struct UI {
    template <typename... A> void openVerticalBox(A...) {}
    template <typename... A> void openHorizontalBox(A...) {}
    template <typename... A> void openTabBox(A...) {}
    void closeBox() {}
    template <typename... A> void declare(A...) {}
    template <typename... A> void addButton(A...) {}
    template <typename... A> void addCheckButton(A...) {}
    template <typename... A> void addVerticalSlider(A...) {}
    template <typename... A> void addHorizontalSlider(A...) {}
    template <typename... A> void addNumEntry(A...) {}
    template <typename... A> void addHorizontalBargraph(A...) {}
    template <typename... A> void addVerticalBargraph(A...) {}
};
struct dsp { virtual ~dsp() {} };

<<includeIntrinsic>>
<<includeclass>>

int main() {
    const int frames = 64, periods = 200, rounds = 200;
    _mm_setcsr(_mm_getcsr() | 0x8040); // denormal numbers are zero
    static mydsp plugin;
    plugin.init(48000);
    std::vector<float> in(frames), silent(frames), left(frames), right(frames);
    for (int n = 0; n < frames; n++)
        in[n] = float((n * 7919) % 1000) / 1000.0f - 0.5f;
    // The demonstration has four inputs: the sound's two, and two of its tester.
    float *inputs[] = {in.data(), silent.data(), silent.data(), silent.data()};
    float *outputs[] = {left.data(), right.data()};
    std::vector<double> costs;
    for (int round = 0; round < rounds; round++) {
        auto begin = std::chrono::steady_clock::now();
        for (int n = 0; n < periods; n++)
            plugin.compute(frames, inputs, outputs);
        std::chrono::duration<double, std::nano> span = std::chrono::steady_clock::now() - begin;
        costs.push_back(span.count() / (periods * frames));
    }
    std::sort(costs.begin(), costs.end());
    printf("%.1f %.1f\n", costs.front(), costs[costs.size() / 2]);
}
