// A trial as it sounds, from the samples of the engine.

/** Plays what `ask` gives until it ends or is pressed again; `told` says what happens. */
export function hearing(button, ask, told) {
    let playing = null;
    const silent = () => {
        playing?.close();
        playing = null;
        button.textContent = "Hear it";
    };
    button.addEventListener("click", async () => {
        if (playing) return silent();
        const context = (playing = new AudioContext());
        button.textContent = "Stop";
        try {
            const samples = await ask(context.sampleRate);
            if (samples.length === 0) throw new Error("there is nothing to hear: mend the mistakes, or take a trial that plays no recording");
            if (context.state === "closed") return;
            const source = new AudioBufferSourceNode(context, { buffer: buffer(context, samples) });
            source.connect(context.destination);
            source.onended = () => playing === context && silent();
            source.start();
            await context.resume();
        } catch (error) {
            silent();
            told(error.message);
        }
    });
    return silent;
}

/** Left and right by turns become two channels. */
export function buffer(context, samples) {
    const made = context.createBuffer(2, samples.length / 2, context.sampleRate);
    for (const side of [0, 1]) {
        const channel = made.getChannelData(side);
        for (let frame = 0; frame < channel.length; frame += 1) channel[frame] = samples[2 * frame + side];
    }
    return made;
}
