//! `chronotap new`: the ready-made studies, listed or written.

use crate::CommandVerdict;
use crate::args::New;
use crate::screen::{remark, say};
use anyhow::{Context, Result, bail};
use chronotap_core::text::{nearest, typed};
use chronotap_design::{NOT_YET, PARADIGMS, Paradigm};
use chronotap_words::commands as words;
use std::io::Write;
use std::path::{Path, PathBuf};

pub fn new(args: &New) -> Result<CommandVerdict> {
    let Some(name) = &args.paradigm else {
        for paradigm in PARADIGMS {
            say(format!("{:<29} {}", paradigm.name, paradigm.question));
        }
        for (name, missing) in NOT_YET {
            remark(format!("not yet: {name}; missing: {missing}"));
        }
        return Ok(CommandVerdict::Passed);
    };
    let Some(paradigm) = PARADIGMS.iter().find(|paradigm| paradigm.name == name) else {
        let names = PARADIGMS.iter().map(|paradigm| paradigm.name);
        let meant = nearest(name, names).map(|near| format!("; did you mean \"{near}\"?"));
        let list = "; `chronotap new` lists them".to_owned();
        bail!("there is no paradigm \"{name}\"{}", meant.unwrap_or(list));
    };
    let folder = args.folder.clone().unwrap_or_else(|| PathBuf::from(paradigm.name));
    write(paradigm, &folder)?;
    let study = folder.join(paradigm.files[0].0);
    say(format!("{}: {}", folder.display(), paradigm.question));
    say(format!("look at it with: chronotap check {}", typed(&study)));
    Ok(CommandVerdict::Passed)
}

/// Writes the files of a paradigm where none of them is yet, for owner and group alone.
fn write(paradigm: &Paradigm, folder: &Path) -> Result<()> {
    let there = paradigm.files.iter().map(|(name, _)| folder.join(name)).find(|path| path.exists());
    if let Some(there) = there {
        bail!("{} is there already; name another folder", there.display());
    }
    let made = chronotap_core::files::create_folder(folder);
    made.with_context(|| words::cannot_make_folder(folder))?;
    for (name, text) in paradigm.files {
        let path = folder.join(name);
        let written = chronotap_core::files::create_new(&path)
            .and_then(|mut file| file.write_all(text.as_bytes()));
        written.with_context(|| format!("{} cannot be written", path.display()))?;
    }
    Ok(())
}
