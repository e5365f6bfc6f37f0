//! [`Surface`]: where an error is read, and how what a user gives is named there.

#![cfg_attr(not(feature = "devices"), allow(dead_code, reason = "most of it is said of sessions"))]

/// Who shows an error.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Surface {
    /// A command in a terminal: what is given is an option.
    Terminal,
    /// A page of the console, whose reader sees no command: what is given is a field of a form.
    Page,
    /// The Python package: what is given is an argument.
    Python,
}

impl Surface {
    /// The words of this surface, where the three differ.
    pub(crate) fn pick<T>(self, terminal: T, page: T, python: T) -> T {
        match self {
            Surface::Terminal => terminal,
            Surface::Page => page,
            Surface::Python => python,
        }
    }

    /// The words of the terminal, where the others say the same.
    pub(crate) fn in_terminal<T>(self, terminal: T, elsewhere: T) -> T {
        if self == Surface::Terminal { terminal } else { elsewhere }
    }

    /// The words of a page, where the others say the same.
    pub(crate) fn on_page<T>(self, page: T, elsewhere: T) -> T {
        if self == Surface::Page { page } else { elsewhere }
    }

    /// The words of Python, where the others say the same.
    pub(crate) fn in_python<T>(self, python: T, elsewhere: T) -> T {
        if self == Surface::Python { python } else { elsewhere }
    }
}

/// Something that a user gives or does, as the terminal, a page and Python name it.
pub(crate) struct Wording(&'static str, &'static str, &'static str);

impl Wording {
    /// Its words there.
    pub(crate) fn on(&self, surface: Surface) -> &'static str {
        surface.pick(self.0, self.1, self.2)
    }
}

/// Factors between participants; it stands in front of what is wrong with one.
pub(crate) const BETWEEN: Wording = Wording("--between ", "", "between: ");

/// Answers to questions; it stands in front of what is wrong with one.
pub(crate) const ANSWERS: Wording = Wording("--answer ", "", "answers: ");

/// A folder for the data that is not the one that was given.
pub(crate) const OTHER_FOLDER: Wording = Wording(
    "name another folder with --data",
    "begin it with another folder for the data",
    "name another folder as data",
);

/// How a session that was cut short goes on.
pub(crate) const AGAIN: Wording = Wording(
    "then give the same command again",
    "then begin the session again: it goes on where it was",
    "then call run again",
);
