//! The raw port over real pseudo-terminals and FIFOs.

use chronotap_core::midi::{Channel, Message, Parser, SysexPart, U7};
use chronotap_core::time::Nanos;
use chronotap_engine::action::{Action, ActionKind};
use chronotap_engine::perturbation::Perturbation;
use chronotap_engine::signal::{Arrival, Port, PortError, Readiness, Stamp};
use chronotap_linux::ports::{OpenError, RawPort};
use chronotap_testkit_linux::terminal::terminal;
use rustix::event::{PollFd, PollFlags, Timespec, poll};
use rustix::fs::{CWD, FileType, Mode, OFlags, mknodat};
use rustix::io::{read, write};
use std::os::fd::OwnedFd;
use std::path::{Path, PathBuf};

fn fifo(directory: &Path) -> PathBuf {
    let path = directory.join("fifo");
    mknodat(CWD, &path, FileType::Fifo, Mode::RUSR | Mode::WUSR, 0).unwrap();
    path
}

fn arrivals(port: &mut RawPort, now: Nanos) -> (Vec<Arrival>, Result<(), PortError>) {
    let mut all = Vec::new();
    let result = port.read(now, &mut |arrival| all.push(arrival));
    (all, result)
}

fn note_on(note: u8, velocity: u8) -> Message {
    let [note, velocity] = [note, velocity].map(U7::from_byte);
    Message::NoteOn { channel: Channel::ONE, note, velocity }
}

fn action(kind: ActionKind, message: Message) -> Action {
    let (deadline, instant) = (Nanos::ZERO, Nanos::ZERO);
    Action {
        id: 1,
        kind,
        number: 1,
        cause: 0,
        deadline,
        instant,
        port: 0,
        message: Some(message),
        perturbation: Perturbation::NONE,
    }
}

fn parsed(bytes: &[u8]) -> Vec<Message> {
    let mut parser = Parser::new();
    bytes.iter().filter_map(|byte| parser.push(*byte)).collect()
}

#[test]
fn every_byte_value_passes_a_terminal_unchanged_in_both_directions() {
    let (master, path) = terminal();
    let mut port = RawPort::open(&path, Some(2), true).unwrap();
    // Values that a terminal in line mode would act on: ^C ^D ^M ^Q ^S ^Z DEL.
    for note in [3, 4, 13, 17, 19, 26, 127] {
        write(&master, &[0x90, note, note]).unwrap();
        let (all, result) = arrivals(&mut port, Nanos(5));
        assert_eq!(result, Ok(()));
        let expected = Arrival {
            input: 2,
            at: Nanos(5),
            stamp: Stamp::UserSpace,
            message: note_on(note, note),
        };
        assert_eq!(all, [expected]);
        port.write(&action(ActionKind::Pacing(0), note_on(note, 10)), Nanos(6)).unwrap();
        let mut bytes = [0; 16];
        let len = read(&master, &mut bytes).unwrap();
        assert_eq!(&bytes[..len], [0x90, note, 10]);
    }
    assert_eq!((port.counts().received, port.counts().sent), (7, 7));
}

#[test]
fn nothing_to_read_is_no_error_and_leaves_the_descriptor_in_the_poll_set() {
    let (_master, path) = terminal();
    let mut port = RawPort::open(&path, Some(0), false).unwrap();
    assert_eq!(arrivals(&mut port, Nanos(0)), (vec![], Ok(())));
    assert!(matches!(port.readiness(), Readiness::Descriptor(_)));
}

#[test]
fn a_terminal_that_loses_its_other_end_is_closed_once_and_for_all() {
    let (master, path) = terminal();
    let mut port = RawPort::open(&path, Some(0), true).unwrap();
    write(&master, &[0x90, 60, 100]).unwrap();
    assert_eq!(arrivals(&mut port, Nanos(1)).0.len(), 1);
    drop(master);
    wait_for_the_end(&port);
    assert_eq!(arrivals(&mut port, Nanos(2)), (vec![], Err(PortError::Closed)));
    assert!(matches!(port.readiness(), Readiness::Never));
    assert_eq!(arrivals(&mut port, Nanos(3)).1, Err(PortError::Closed));
    assert_eq!(
        port.write(&action(ActionKind::Pacing(0), note_on(60, 1)), Nanos(4)),
        Err(PortError::Closed)
    );
}

/// A process that another test just forked holds a copy of the far end until it runs a program of its own.
fn wait_for_the_end(port: &RawPort) {
    let Readiness::Descriptor(descriptor) = port.readiness() else { panic!("it is open") };
    let mut it = [PollFd::from_borrowed_fd(descriptor, PollFlags::empty())];
    assert_eq!(poll(&mut it, Some(&Timespec { tv_sec: 60, tv_nsec: 0 })), Ok(1));
}

#[test]
fn a_terminal_gets_its_settings_back() {
    use rustix::termios::{LocalModes, tcgetattr};
    let (_master, path) = terminal();
    let flags = OFlags::RDWR | OFlags::NOCTTY;
    let watcher = rustix::fs::open(&path, flags, Mode::empty()).unwrap();
    let canonical = || tcgetattr(&watcher).unwrap().local_modes.contains(LocalModes::ICANON);
    assert!(canonical());
    let port = RawPort::open(&path, Some(0), true).unwrap();
    assert!(!canonical());
    drop(port);
    assert!(canonical());
}

#[test]
fn a_fifo_outlives_its_writers_and_messages_may_be_cut_anywhere() {
    let directory = tempfile::tempdir().unwrap();
    let path = fifo(directory.path());
    let mut port = RawPort::open(&path, Some(0), false).unwrap();
    let mut heard = Vec::new();
    for piece in [&[0x90u8, 60][..], &[100, 0xfe, 62], &[100, 0xf0, 1], &[2, 0xf7, 0x80, 60, 0, 7]]
    {
        std::fs::write(&path, piece).unwrap(); // opens, writes, closes
        heard.extend(arrivals(&mut port, Nanos(1)).0);
    }
    let sysex = Message::Sysex(SysexPart::new(&[0xf0, 1, 2, 0xf7]).unwrap());
    let messages: Vec<Message> = heard.iter().map(|arrival| arrival.message).collect();
    let release = parsed(&[0x80, 60, 0])[0];
    assert_eq!(messages, [note_on(60, 100), note_on(62, 100), sysex, release]);
    let counts = port.counts();
    assert_eq!((counts.received, counts.invalid_bytes), (3, 1)); // a 7 under running status
    assert_eq!((counts.sysex_bytes, counts.realtime_bytes), (4, 1));
    assert_eq!(arrivals(&mut port, Nanos(2)), (vec![], Ok(())));
}

#[test]
fn a_flood_is_taken_in_bounded_portions_and_loses_nothing() {
    let directory = tempfile::tempdir().unwrap();
    let path = fifo(directory.path());
    let mut port = RawPort::open(&path, Some(0), false).unwrap();
    std::fs::OpenOptions::new().write(true).open(&path).unwrap(); // must not block
    std::fs::write(&path, [0x90, 60, 100].repeat(10_000)).unwrap();
    let first = arrivals(&mut port, Nanos(0)).0.len();
    assert!(first < 2_000, "{first} in one call");
    let mut all = first;
    while all < 10_000 {
        all += arrivals(&mut port, Nanos(0)).0.len();
    }
    assert_eq!((all, port.counts().invalid_bytes), (10_000, 0));
}

#[test]
fn a_full_device_loses_onsets_and_keeps_releases_and_the_stream_stays_whole() {
    let directory = tempfile::tempdir().unwrap();
    let path = fifo(directory.path());
    let mut port = RawPort::open(&path, None, true).unwrap();
    let reader = RawPortReader::open(&path);
    let onset = action(ActionKind::Feedback(0), note_on(60, 100));
    let release = action(
        ActionKind::ToneOff,
        Message::NoteOff { channel: Channel::ONE, note: U7::from_byte(60), velocity: U7::ZERO },
    );
    let mut onsets = 0;
    while port.write(&onset, Nanos::ZERO).is_ok() {
        onsets += 1;
    }
    assert_eq!(port.write(&onset, Nanos::ZERO), Err(PortError::Full));
    assert!(port.write(&release, Nanos::ZERO).is_ok());
    assert_eq!(port.counts().lost, 2);
    let before = reader.take();
    let _ = port.read(Nanos::ZERO, &mut |_| ()); // any service sends what was kept
    let after = reader.take();
    assert_eq!(parsed(&before).len(), onsets);
    assert_eq!(parsed(&after), [release.message.unwrap()]);
    while port.write(&onset, Nanos::ZERO).is_ok() {}
    assert!(port.write(&release, Nanos::ZERO).is_ok());
    reader.take();
    drop(port); // so does the end of the port
    assert_eq!(parsed(&reader.take()), [release.message.unwrap()]);
}

/// Takes everything that is in a FIFO.
struct RawPortReader(OwnedFd);

impl RawPortReader {
    fn open(path: &Path) -> RawPortReader {
        let flags = OFlags::RDONLY | OFlags::NONBLOCK;
        RawPortReader(rustix::fs::open(path, flags, Mode::empty()).unwrap())
    }

    fn take(&self) -> Vec<u8> {
        let (mut all, mut buffer) = (Vec::new(), [0; 4096]);
        while let Ok(len @ 1..) = read(&self.0, &mut buffer) {
            all.extend_from_slice(&buffer[..len]);
        }
        all
    }
}

#[test]
fn one_fifo_is_not_taken_for_both_directions() {
    let directory = tempfile::tempdir().unwrap();
    let path = fifo(directory.path());
    let error = RawPort::open(&path, Some(0), true).err().unwrap();
    assert!(matches!(error, OpenError::OneWay { .. }), "{error}");
}

#[test]
fn what_comes_in_is_one_program_s_alone_and_free_again_once_that_has_ended() {
    let (_master, terminal) = terminal();
    let directory = tempfile::tempdir().unwrap();
    for path in [terminal, fifo(directory.path())] {
        let first = RawPort::open(&path, Some(0), false).unwrap();
        let second = RawPort::open(&path, Some(0), false).err().unwrap();
        assert!(matches!(second, OpenError::Busy { .. }), "{second}");
        assert!(RawPort::open(&path, None, true).is_ok(), "it may be fed");
        drop(first);
        assert!(RawPort::open(&path, Some(0), false).is_ok());
    }
}

#[test]
fn a_process_that_was_forked_meanwhile_does_not_keep_what_comes_in() {
    let directory = tempfile::tempdir().unwrap();
    let path = fifo(directory.path());
    let first = RawPort::open(&path, Some(0), false).unwrap();
    let Readiness::Descriptor(descriptor) = first.readiness() else { panic!("it is open") };
    let _copy_as_of_a_fork = rustix::io::dup(descriptor).unwrap();
    drop(first);
    assert!(RawPort::open(&path, Some(0), false).is_ok());
}

#[test]
fn a_program_that_reads_already_and_takes_no_lock_is_told_and_one_that_feeds_is_not() {
    let (_master, path) = terminal();
    let with = |how: &str| {
        let script = format!("exec 3{how}'{}'; echo; exec sleep 60", path.display());
        let mut shell = std::process::Command::new("sh");
        let mut shell =
            shell.args(["-c", &script]).stdout(std::process::Stdio::piped()).spawn().unwrap();
        std::io::Read::read_exact(&mut shell.stdout.take().unwrap(), &mut [0]).unwrap();
        let opened = RawPort::open(&path, Some(0), false).map(drop);
        shell.kill().unwrap();
        shell.wait().unwrap();
        opened
    };
    assert!(matches!(with("<"), Err(OpenError::Busy { .. })));
    assert!(with("<>").is_ok() && with(">").is_ok());
}

/// The moment between a fork and the next program, held still: this program once more, with the
/// terminal open, as it lists its tests into a pipe that has no room for all of them.
#[test]
fn a_copy_of_this_program_that_has_not_become_another_one_is_no_reader() {
    let (_master, path) = terminal();
    let (mut lists, into) = std::io::pipe().unwrap();
    rustix::pipe::fcntl_setpipe_size(&into, 4_096).unwrap();
    let mut copy = std::process::Command::new(std::env::current_exe().unwrap())
        .arg("--list")
        .stdin(std::fs::File::open(&path).unwrap())
        .stdout(into)
        .spawn()
        .unwrap();
    std::io::Read::read_exact(&mut lists, &mut [0]).unwrap();
    let opened = RawPort::open(&path, Some(0), false).map(drop);
    let still_runs = copy.try_wait().unwrap().is_none();
    copy.kill().unwrap();
    copy.wait().unwrap();
    assert!(still_runs && opened.is_ok(), "{opened:?}");
}
