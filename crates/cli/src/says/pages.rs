//! What pages say of an error, where a session or trial of this process is shown on some: what all
//! pages say, and what the command line itself refuses.

use super::command::Given;
use super::of;
use chronotap_console::says;
use chronotap_words::{Surface, in_full};
use std::error::Error;

/// An error as the pages of this session say it.
pub fn for_a_page(error: &anyhow::Error) -> String {
    in_full(error.chain(), |error| {
        of_the_command(error).unwrap_or_else(|| says::of(error, Surface::Page))
    })
}

/// The same where the session was begun from a page, on which no port can be named.
pub fn begun_from_a_page(error: &anyhow::Error) -> String {
    let said = for_a_page(error);
    match error.chain().any(says::names_ports) {
        true => format!("{said}\n{}", says::PORTS),
        false => said,
    }
}

/// An option is a field of the form.
fn of_the_command(error: &(dyn Error + 'static)) -> Option<String> {
    Some(match error.downcast_ref::<Given>()? {
        Given::Participant { given, problem } => format!("participant {given}: {}", of(problem)),
        Given::Session { session, sessions } => {
            format!("session {session}: the study has {sessions}")
        }
    })
}

#[cfg(test)]
mod tests {
    use super::*;
    use chronotap_linux::ports::{KeepKeysError, OpenPortError, Permission, SpecError};
    use chronotap_rig::laboratory::{BindingError, RigError};
    use chronotap_visit::SessionError;

    #[test]
    fn a_page_says_what_to_do_about_a_device_and_names_no_option() {
        let refused = OpenPortError::device(Permission::Group("audio".into()));
        let group = "members of group `audio` may open it: `sudo usermod -aG audio $USER`, then \
                     log in again";
        let device = SessionError::Laboratory(RigError::from(refused).into());
        assert_eq!(for_a_page(&device.into()), group);
        let (port, input) = ("raw:/x".to_owned(), "right".to_owned());
        let second = RigError::from(OpenPortError::SecondInput { port, input });
        assert_eq!(
            for_a_page(&second.into()),
            "input right: raw:/x is already bound; one byte stream serves one input"
        );
        let only = KeepKeysError::OnlyKeyboard { ports: vec!["evdev:Desk".into()] };
        let said = for_a_page(&BindingError::from(only).into());
        assert!(said.ends_with("plug in another keyboard, or tap on a response box or a pad"));
        let unknown =
            SpecError::Unknown { name: "wier".into(), nearest: "wire".into(), known: vec!["wire"] };
        let side = chronotap_rig::laboratory::Side::Input;
        let wrong = BindingError::Spec { side, text: "wier".into(), source: unknown };
        let said = for_a_page(&wrong.into());
        assert!(said.starts_with("input wier: there is no port `wier`; did you mean `wire`?"));
    }
}
