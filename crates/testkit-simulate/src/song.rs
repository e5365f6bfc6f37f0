//! The text of a trial that plays a recording which lies nowhere: in virtual time only its
//! beats count.

/// A trial whose stream of this name plays a recording of 2 s from 1 s on; its beats are 0.4,
/// 0.9 and 1.5 s after its beginning. `more` stands behind the lines of the stream.
pub fn trial_of_a_song(stream: &str, more: &str) -> String {
    format!(
        r#"
        [pacing.{stream}]
        audio = "s.wav"
        beats_from = "b.tsv"
        {more}
        [[when]]
        time = "4 s"
        end = true
        [file."b.tsv"]
        beats = ["0.4 s", "0.9 s", "1.5 s"]
        [file."s.wav"]
        path = "/songs/s.wav"
        sha256 = "abc"
        length = "88200 s / 44100""#
    )
}
