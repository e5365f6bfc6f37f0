//! [`Job`]: what is run for itself and belongs to no session: a single trial, a test of this
//! computer and its ports, or something done with a dataset, a study or a pack. It is the command that somebody at a terminal would type, as a program
//! of its own that outlives the server; what it prints and leaves is shown ([`place`], [`stream`]).

mod dataset;
pub(super) mod job_folder;
mod pack;
pub(super) mod stream;

use super::apart::{apart, lacks_setsid};
use super::folder::{self, Remembered};
use super::{Lasting, ServerState, Settings, session};
use chronotap_linux::realtime::cpu_list;
use dataset::WithDataset;
use job_folder::{About, JobFolder};
use pack::{OpenPack, PackStudy};
use serde::Deserialize;
use std::ffi::OsString;
use std::path::{Path, PathBuf};
use std::process::Stdio;
use std::sync::Arc;

/// What the form asks for.
#[derive(Debug, Deserialize)]
#[serde(tag = "what", rename_all = "snake_case", deny_unknown_fields)]
pub(super) enum Job {
    /// What on this computer spoils timing.
    Doctor,
    /// How late threads wake up.
    Wakeup {
        /// How long.
        length: Length,
    },
    /// How good a pair of ports is.
    Loop {
        /// The input's port.
        input: String,
        /// The output's port.
        output: String,
        /// How long.
        length: Length,
    },
    /// How loud a tap must be for a sensor on a sound card.
    Threshold {
        /// The sensor's port.
        input: String,
        /// Where tones are played at which nobody taps; empty for none.
        #[serde(default)]
        output: String,
        /// The input of the machine file that it becomes; empty for none.
        #[serde(default)]
        name: String,
    },
    /// A single trial.
    Trial {
        /// The trial file, by its path in the list.
        path: PathBuf,
        /// Whether a simulated participant taps.
        simulated: bool,
        /// The input's port; empty for those that the console was started with.
        #[serde(default)]
        input: String,
        /// The same of the output.
        #[serde(default)]
        output: String,
    },
    /// Something is done with a dataset.
    Dataset(WithDataset),
    /// A study becomes one file.
    Pack(PackStudy),
    /// Such a file is opened and checked.
    Open(OpenPack),
}

/// How long a test goes on.
#[derive(Clone, Copy, Debug, Deserialize)]
#[serde(rename_all = "snake_case")]
pub(super) enum Length {
    Quick,
    Normal,
    Full,
}

/// Names, in the environment of a job, the file in which it puts how far it is.
pub const PROGRESS: &str = "CHRONOTAP_PROGRESS";

/// Letters of the name of a port.
const LONGEST_PORT: usize = 200;

/// Runs it: its number, or a sentence that says why not. One at a time, and none beside a
/// session, whose timing it would spoil.
pub(super) async fn begin(server: &ServerState, job: Job) -> Result<u32, String> {
    let settings = &server.settings;
    let _alone = session::alone(&settings.sockets)?;
    if let Some(number) = job_folder::running(&settings.sockets) {
        return Err(format!("job {number} is under way; wait for its end, or stop it"));
    }
    if let Some(why) = session::disturbed(&settings.sockets).await {
        return Err(why);
    }
    if !settings.folder.is_dir() {
        return Err(format!(
            "{}: the folder is not there any more; put it back, or start chronotap console in another",
            settings.folder.display()
        ));
    }
    let processors = job.processors(settings).to_vec();
    let (of_settings, memory) = (settings.clone(), Arc::clone(&server.memory));
    let about = tokio::task::spawn_blocking(move || about(&of_settings, &job, &memory)).await;
    let about = about.unwrap_or_else(|_| Err("the folder could not be read".into()))?;
    let place = JobFolder::make(&settings.sockets, &about)
        .map_err(|error| format!("{}: {error}", settings.sockets.display()))?;
    let number = place.number;
    start(settings, place, &about, &processors).await?;
    Ok(number)
}

/// The command, and where its page will be found.
fn about(settings: &Settings, job: &Job, memory: &Remembered) -> Result<About, String> {
    let timing = settings.folder.join("timing");
    let mut about = match job {
        Job::Doctor => About::new("What on this computer spoils timing", ["doctor"]),
        Job::Wakeup { length } => {
            let mut about = About::new("How late threads wake up", ["timing", "wakeup"]);
            about.add([length.option()]).option("--output", &timing).page(&timing, "_wakeup_");
            about.lasts = lasts(settings, "wakeup", *length);
            about
        }
        Job::Loop { input, output, length } => {
            let mut about = About::new("How good a pair of ports is", ["timing", "loop"]);
            about.option("--in", port(input)?).option("--out", port(output)?);
            about.add([length.option()]).option("--results", &timing).page(&timing, "_loop_");
            about.lasts = lasts(settings, "loop", *length);
            about
        }
        Job::Threshold { input, output, name } => by_test_taps([input, output, name])?,
        Job::Trial { path, simulated, input, output } => {
            let mut about = trial(settings, path, memory)?;
            match simulated {
                true => by_a_model(&mut about, settings),
                false => by_hand(&mut about, settings, [("--in", input), ("--out", output)])?,
            }
            about
        }
        Job::Dataset(asked) => asked.about(&settings.folder, memory)?,
        Job::Pack(asked) => asked.about(&settings.folder, memory)?,
        Job::Open(asked) => asked.about(&settings.folder)?,
    };
    if is_ordinary(settings) && matches!(job, Job::Wakeup { .. } | Job::Loop { .. }) {
        about.add(["--ordinary"]);
    }
    Ok(about)
}

/// About how long it takes, where that is known.
fn lasts(settings: &Settings, test: &str, length: Length) -> Option<String> {
    let Lasting { quick, normal, full } = settings.lasting.get(test)?;
    let words = match length {
        Length::Quick => quick,
        Length::Normal => normal,
        Length::Full => full,
    };
    Some(words.clone())
}

fn by_test_taps([input, output, name]: [&str; 3]) -> Result<About, String> {
    let mut about = About::new("How loud a tap must be for a sensor", ["threshold"]);
    let meant = |text: &str| !text.trim().is_empty();
    if meant(output) {
        about.option("--out", port(output)?);
    }
    if meant(name) {
        about.option("--name", one_line(name, "name the input, as in pad")?);
    }
    about.add(["--", port(input)?]);
    Ok(about)
}

fn trial(settings: &Settings, path: &Path, memory: &Remembered) -> Result<About, String> {
    let (file, title) = folder::trial(&settings.folder, path, memory)?;
    let data = file.parent().unwrap_or(Path::new("")).join("trials");
    let mut about = About::new(&title, ["run"]);
    about.add([file.as_os_str()]).option("--data", &data).events(&data);
    Ok(about)
}

/// A simulated participant taps.
fn by_a_model(about: &mut About, settings: &Settings) {
    about.option("--simulate", settings.model.as_deref().unwrap_or("tapper"));
    about.add(settings.options_of(true));
}

/// Somebody taps, on the ports that were chosen, and where none was, on those that the console was
/// started with. The page is open meanwhile, and what is tapped must not press its buttons.
fn by_hand(
    about: &mut About,
    settings: &Settings,
    chosen: [(&'static str, &String); 2],
) -> Result<(), String> {
    about.add(["--keep-keys"]);
    let chosen = chosen.into_iter().filter(|(_, port)| !port.trim().is_empty());
    let chosen: Vec<(&str, &str)> =
        chosen.map(|(option, name)| Ok((option, port(name)?))).collect::<Result<_, String>>()?;
    let given = settings.ports.chunks(2);
    given.filter(|pair| !chosen.iter().any(|(option, _)| pair[0] == *option)).for_each(|pair| {
        about.add(pair);
    });
    chosen.iter().for_each(|(option, port)| {
        about.option(option, port);
    });
    about.add(&settings.options);
    Ok(())
}

impl Job {
    /// The processors that it is to have; none where it has those of the server, which keeps off
    /// the one of the trials. A test of the computer needs them all.
    fn processors<'a>(&self, settings: &'a Settings) -> &'a [usize] {
        match self {
            Job::Trial { .. } | Job::Dataset(_) | Job::Pack(_) | Job::Open(_) => &[],
            _ => &settings.processors,
        }
    }
}

impl Length {
    fn option(self) -> &'static str {
        match self {
            Length::Quick => "--quick",
            Length::Normal => "--normal",
            Length::Full => "--full",
        }
    }
}

fn is_ordinary(settings: &Settings) -> bool {
    settings.options.iter().any(|option| option == "--ordinary")
}

/// The name of a port is for the command to judge, as long as it is one line.
pub(super) fn port(name: &str) -> Result<&str, String> {
    one_line(name, "name the port, as in wire or alsa:Drum Pad")
}

fn one_line<'a>(text: &'a str, wanted: &str) -> Result<&'a str, String> {
    let text = text.trim();
    match !text.is_empty() && text.len() <= LONGEST_PORT && !text.chars().any(char::is_control) {
        true => Ok(text),
        false => Err(wanted.into()),
    }
}

/// Starts the program, which is a child of nobody here. A shell writes down how it ended; the
/// locked file is its standard input, so that the lock lasts as long as it does.
async fn start(
    settings: &Settings,
    place: JobFolder,
    about: &About,
    processors: &[usize],
) -> Result<(), String> {
    let mut program = apart();
    if !processors.is_empty() {
        program.arg("taskset").arg("--cpu-list").arg(cpu_list(processors));
    }
    program.arg("sh").arg("-c").arg(SCRIPT).arg(&place.folder);
    program.arg(&settings.program).args(&about.arguments);
    program.current_dir(&settings.folder).env(PROGRESS, place.folder.join(job_folder::PROGRESS));
    program.stdin(Stdio::from(place.lock)).stdout(Stdio::null()).stderr(Stdio::null());
    let started = program.status().await;
    match started.map_err(lacks_setsid)?.success() {
        true => Ok(()),
        false => Err("setsid could not start it".into()),
    }
}

/// `$0` is the folder, the rest the command. An interrupt is for the command alone: what is
/// trapped here is as ever there.
const SCRIPT: &str = r#"trap : INT
echo $$ >"$0/pid"
"$@" >"$0/said" 2>&1
echo $? >"$0/status.new"
mv "$0/status.new" "$0/status""#;

/// An argument that begins with a hyphen is never taken for an option of its own.
pub(super) fn joined(option: &str, value: impl Into<OsString>) -> OsString {
    let mut joined = OsString::from(option);
    joined.push("=");
    joined.push(value.into());
    joined
}

#[cfg(test)]
pub(super) mod tests {
    use super::*;
    use std::collections::BTreeMap;

    pub(in crate::server) fn settings(folder: &Path, options: &[&str]) -> Settings {
        Settings {
            folder: folder.to_owned(),
            sockets: folder.to_owned(),
            port: 0,
            program: "/bin/echo".into(),
            options: options.iter().map(Into::into).collect(),
            ports: Vec::new(),
            processors: vec![0, 1],
            lasting: BTreeMap::from([("wakeup", lasting("2 s", "1 min", "1 h"))]),
            model: None,
            rehearsal: false,
            lacks: Vec::new(),
            pane: None,
            kiosk: None,
            only: None,
            patience: std::time::Duration::from_secs(1),
        }
    }

    fn lasting(quick: &str, normal: &str, full: &str) -> Lasting {
        let [quick, normal, full] = [quick, normal, full].map(str::to_owned);
        Lasting { quick, normal, full }
    }

    #[test]
    fn how_long_a_test_takes_is_said_where_it_is_known() {
        let dir = tempfile::tempdir().unwrap();
        let settings = settings(dir.path(), &[]);
        let lasts = |job: &str| {
            let job = serde_json::from_str(job).unwrap();
            about(&settings, &job, &Remembered::default()).unwrap().lasts
        };
        let wakeup = |length: &str| lasts(&format!(r#"{{"what":"wakeup","length":"{length}"}}"#));
        assert_eq!(
            ["quick", "normal", "full"].map(wakeup),
            ["2 s", "1 min", "1 h"].map(|words| Some(words.to_owned()))
        );
        assert_eq!(lasts(r#"{"what":"doctor"}"#), None);
    }

    fn typed(settings: &Settings, job: &str) -> Result<String, String> {
        about(settings, &serde_json::from_str(job).unwrap(), &Remembered::default())
            .map(|about| about.typed())
    }

    #[test]
    fn an_job_is_the_command_that_one_would_type() {
        let dir = tempfile::tempdir().unwrap();
        let settings = settings(dir.path(), &["--ordinary"]);
        let at = dir.path().display();
        assert_eq!(typed(&settings, r#"{"what":"doctor"}"#).unwrap(), "chronotap doctor");
        assert_eq!(
            typed(&settings, r#"{"what":"wakeup","length":"quick"}"#).unwrap(),
            format!("chronotap timing wakeup --quick --output={at}/timing --ordinary")
        );
        let sensor =
            r#"{"what":"threshold","input":"ear:jack?channel=2","output":"tone:","name":"pad"}"#;
        assert_eq!(
            typed(&settings, sensor).unwrap(),
            "chronotap threshold --out=tone: --name=pad -- 'ear:jack?channel=2'"
        );
        let bare = r#"{"what":"threshold","input":" ear:jack "}"#;
        assert_eq!(typed(&settings, bare).unwrap(), "chronotap threshold -- ear:jack");
        let looped = r#"{"what":"loop","input":"wire","output":"alsa:My Pad","length":"normal"}"#;
        assert_eq!(
            typed(&settings, looped).unwrap(),
            format!(
                "chronotap timing loop --in=wire '--out=alsa:My Pad' --normal --results={at}/timing --ordinary"
            )
        );
    }

    #[test]
    fn tests_of_the_computer_have_all_processors_and_trials_keep_off_theirs() {
        let dir = tempfile::tempdir().unwrap();
        let settings = settings(dir.path(), &[]);
        let doctor: Job = serde_json::from_str(r#"{"what":"doctor"}"#).unwrap();
        let (path, input, output) = ("ten.toml".into(), String::new(), String::new());
        let trial = Job::Trial { path, simulated: true, input, output };
        assert_eq!(cpu_list(doctor.processors(&settings)), "0-1");
        assert!(trial.processors(&settings).is_empty());
    }

    #[test]
    fn a_study_is_packed_and_a_pack_opened_where_nothing_is_yet() {
        let dir = tempfile::tempdir().unwrap();
        std::fs::write(dir.path().join("study.toml"), "[[step]]\ntext = \"Hello\"\n").unwrap();
        std::fs::write(dir.path().join("there.zip"), "mine").unwrap();
        let settings = settings(dir.path(), &["--ordinary"]);
        let at = dir.path().display();
        let pack = |study: &str, to: &str| {
            typed(&settings, &format!(r#"{{"what":"pack","study":"{study}","to":"{to}"}}"#))
        };
        let open = |file: &str, to: &str| {
            typed(&settings, &format!(r#"{{"what":"open","file":"{file}","to":"{to}"}}"#))
        };
        let packed = format!("chronotap pack {at}/study.toml --output={at}/s.zip");
        assert_eq!(pack("study.toml", "s.zip").unwrap(), packed);
        let opened = format!("chronotap open /mnt/s.zip --to={at}/s");
        assert_eq!(open("/mnt/s.zip", "s").unwrap(), opened);
        for refused in [pack("study.toml", "there.zip"), open("s.zip", "there.zip")] {
            let said = "there.zip: is there already; name a place where nothing is";
            assert_eq!(refused.unwrap_err(), said);
        }
        assert!(pack("../study.toml", "s.zip").unwrap_err().contains("no such study"));
        assert!(pack("study.toml", " ").unwrap_err().contains("name the file that is to be made"));
        assert!(open(" ", "s").unwrap_err().contains("name the file that is to be opened"));
        let outside = open("--help", "s").unwrap();
        assert!(outside.contains(&format!("open {at}/--help")), "a path, and no option: {outside}");
    }

    #[test]
    fn a_trial_is_one_of_the_list_and_gets_the_options_of_sessions() {
        let dir = tempfile::tempdir().unwrap();
        let text = "title = \"Ten taps\"\n[[when]]\ntap = 10\nend = true\n";
        std::fs::write(dir.path().join("ten.toml"), text).unwrap();
        let mut settings = settings(dir.path(), &["--ordinary"]);
        settings.ports = ["--in", "pad=wire"].map(Into::into).to_vec();
        let at = dir.path().display();
        let trial = |path: &str| {
            typed(&settings, &format!(r#"{{"what":"trial","path":"{path}","simulated":true}}"#))
        };
        assert_eq!(
            trial("ten.toml").unwrap(),
            format!(
                "chronotap run {at}/ten.toml --data={at}/trials --simulate=tapper --in pad=wire --ordinary"
            )
        );
        for path in ["/etc/passwd", "../ten.toml", "other.toml"] {
            assert!(trial(path).unwrap_err().contains("no such trial"), "{path}");
        }
    }

    #[test]
    fn whoever_taps_a_trial_chooses_its_ports_and_the_keys_are_kept() {
        let dir = tempfile::tempdir().unwrap();
        std::fs::write(dir.path().join("ten.toml"), "[[when]]\ntap = 10\nend = true\n").unwrap();
        let mut settings = settings(dir.path(), &["--ordinary"]);
        settings.ports = ["--in", "alsa:Pad", "--out", "tone:"].map(Into::into).to_vec();
        let trial = |input: &str, output: &str| {
            let path = "ten.toml";
            let form = serde_json::json!({ "what": "trial", "path": path, "simulated": false, "input": input, "output": output });
            typed(&settings, &form.to_string())
                .map(|typed| typed.split_once("/trials ").unwrap().1.to_owned())
        };
        let of = |ports: &str| Ok(format!("--keep-keys {ports} --ordinary"));
        assert_eq!(trial("", ""), of("--in alsa:Pad --out tone:"));
        assert_eq!(trial("keys:", " "), of("--out tone: --in=keys:"));
        assert_eq!(trial("keys:", "wire"), of("--in=keys: --out=wire"));
        assert!(trial("a\nb", "").is_err());
    }

    #[test]
    fn a_simulated_participant_is_given_no_port_at_which_only_people_tap() {
        let dir = tempfile::tempdir().unwrap();
        let mut settings = settings(dir.path(), &["--ordinary"]);
        let mut given = |ports: &[&str], simulated| {
            settings.ports = ports.iter().map(Into::into).collect();
            let options = settings.options_of(simulated).map(|option| option.to_string_lossy());
            options.collect::<Vec<_>>().join(" ")
        };
        let pad = ["--in", "pad=alsa:Drum Pad", "--out", "tone:"];
        assert_eq!(given(&pad, false), "--in pad=alsa:Drum Pad --out tone: --ordinary");
        assert_eq!(given(&pad, true), "--ordinary");
        let wire = ["--in", "pad=wire", "--out", "tone:"];
        assert_eq!(given(&wire, true), "--in pad=wire --out tone: --ordinary");
    }

    #[test]
    fn a_port_can_be_no_option_and_no_second_line() {
        let dir = tempfile::tempdir().unwrap();
        let settings = settings(dir.path(), &[]);
        let looped = |input: &str| {
            let form = serde_json::json!({ "what": "loop", "input": input, "output": "wire", "length": "quick" });
            typed(&settings, &form.to_string())
        };
        assert!(looped("").is_err() && looped("a\nb").is_err());
        assert!(
            looped("--json").unwrap().contains("--in=--json"),
            "the value of --in, and no option"
        );
    }
}
